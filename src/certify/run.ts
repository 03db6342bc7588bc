/** One run: the selected checks, one after the other, against one receiver. */
import { Ids } from '../random/ids.js';
import { FakeData } from '../random/fake-data.js';
import type { Check, Finding } from './check.js';
import { EventMaker } from './events.js';
import {
  type Exchange,
  ObserveError,
  type Observer,
  ReceiverClient,
  type ReceiverClientParts,
  ReceiverGone,
} from './receiver.js';

export interface RunOptions extends Omit<ReceiverClientParts, 'events' | 'observe'> {
  readonly checks: readonly Check[];
  /** Seed of the event ids. With the same seed, a receiver that remembers ids treats the next run as duplicates. */
  readonly seed: number | string;
  readonly observe?: Observer | null;
  /** Whether the customers of the run have an open window in the sandbox that the receiver calls. Default false. */
  readonly windowsOpen?: boolean;
  /** Time limit in milliseconds for a receiver to come back after it stopped responding. Default: 5 s. */
  readonly patienceMs?: number;
  /** Called after each check. */
  readonly onChecked?: (checked: Checked) => void;
}

export interface Checked extends Finding {
  readonly check: Check;
  readonly exchanges: readonly Exchange[];
  /** Milliseconds of system time. */
  readonly durationMs: number;
}

export interface Tally {
  readonly passed: number;
  /** Without skipped checks. */
  readonly total: number;
}

export interface Certificate {
  readonly url: string;
  readonly timeoutMs: number;
  readonly windowsOpen: boolean;
  readonly checks: readonly Checked[];
  readonly score: Tally;
  readonly required: Tally;
  /** Whether no required check failed. */
  readonly certified: boolean;
}

/** @throws ReceiverUnreachable if the first request does not reach the receiver. */
export async function certify(options: RunOptions): Promise<Certificate> {
  const { url, host, timeoutMs, seed, observe = null, patienceMs = 5_000, windowsOpen = false } = options;
  const events = new EventMaker(new Ids(seed, 'certify', {}), customersOf(seed), () => host.now());
  const receiver = new ReceiverClient({ ...options, events, observe });
  const checks: Checked[] = [];
  for (const check of options.checks) {
    const sentBefore = receiver.history.length;
    const startedAt = host.monotonic();
    const finding = await play(check, receiver);
    const exchanges = receiver.history.slice(sentBefore);
    const checked = { check, ...finding, exchanges, durationMs: Math.round(host.monotonic() - startedAt) };
    checks.push(checked);
    options.onChecked?.(checked);
    if (exchanges.some(({ outcome }) => outcome.status === null)) await receiver.recover(patienceMs, check.id);
  }
  const required = tally(checks.filter(({ check }) => check.level === 'required'));
  const certified = required.passed === required.total;
  return { url, timeoutMs, windowsOpen, checks, score: tally(checks), required, certified };
}

async function play(check: Check, receiver: ReceiverClient): Promise<Finding> {
  try {
    return await check.play(receiver);
  } catch (error) {
    if (error instanceof ReceiverGone || error instanceof ObserveError)
      return { result: 'failed', found: error.message };
    throw error;
  }
}

function tally(checks: readonly Checked[]): Tally {
  const counted = checks.filter(({ result }) => result !== 'skipped');
  return { passed: counted.filter(({ result }) => result === 'passed').length, total: counted.length };
}

/** Returns the customers' numbers for the events of a run: different ones, all reserved for fiction. */
export function customersOf(seed: number | string): string[] {
  const chance = new FakeData(seed, 'certify', {});
  return [...new Set(Array.from({ length: 8 }, () => chance.phone()))];
}
