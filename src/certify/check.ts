/** A check: one thing that a webhook receiver must get right in production, and how the run tests it. */
import type { ReceiverClient } from './receiver-client.js';

/** `required`: without it events are lost, doubled or forged. `recommended`: it works today, but not in every case. */
export type Level = 'required' | 'recommended';

export const groups = ['good events', 'unusual but legal', 'forgeries', 'damage', 'time'] as const;
export type Group = (typeof groups)[number];

export interface Finding {
  /** `skipped`: this receiver offers no way to evaluate the check, so that it does not count. */
  readonly result: 'passed' | 'failed' | 'skipped';
  /** What came back, in words. */
  readonly found: string;
}

/** The words of a check. `docs/certify.md` is generated from them. */
export interface CheckTexts {
  /** Stable: used by `--only` and in JUnit reports. */
  readonly id: string;
  readonly title: string;
  /** Default `required`. */
  readonly level?: Level;
  /** What a failure costs in production. */
  readonly why: string;
  /** The bytes and headers of the requests. */
  readonly sends: string;
  /** The responses of a correct receiver. */
  readonly expects: string;
  /** The exact line between passed and failed. */
  readonly criterion: string;
}

export interface Check extends Required<CheckTexts> {
  readonly group: Group;
  /** Runs the check. Errors of the receiver are findings, not exceptions. */
  readonly play: (receiver: ReceiverClient) => Promise<Finding>;
}
