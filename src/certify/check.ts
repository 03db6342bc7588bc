/**
 * A check: one promise that a webhook receiver must keep in production, and how it is put to the test
 * (contract §8, certify). The registry lists them all; docs/certify.md is printed from the same words.
 */
import type { Bench } from './receiver-client.js';

/** `must`: without it events are lost, doubled or forged. `advice`: it works today, and will hurt one day. */
export type Level = 'must' | 'advice';

export const groups = ['good events', 'unusual but legal', 'forgeries', 'damage', 'time'] as const;
export type Group = (typeof groups)[number];

export interface Finding {
  /** `skipped`: it cannot be judged at this receiver, so that it counts neither way. */
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What came back, in words. */
  readonly found: string;
}

export interface Check {
  /** Stable, for `--only` and JUnit. */
  readonly id: string;
  readonly group: Group;
  readonly title: string;
  readonly level: Level;
  /** What it would cost in production. */
  readonly why: string;
  /** The bytes and headers that go out. */
  readonly sends: string;
  /** What a right receiver answers. */
  readonly expects: string;
  /** Where exactly pass ends and failure begins. */
  readonly judged: string;
  /** Plays it. Throws nothing of its own: what goes wrong at the receiver is a finding. */
  readonly play: (bench: Bench) => Promise<Finding>;
}
