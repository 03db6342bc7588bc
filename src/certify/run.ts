/** One run: the chosen checks, one after the other, against one receiver (contract §8, certify). */
import { Ids } from '../random/ids.js';
import { MakeUp } from '../random/fake-data.js';
import type { HostTime } from '../time/system-clock.js';
import type { Sender } from '../webhooks/sender/sender-types.js';
import { Bench, type Exchange } from './receiver-client.js';
import type { Check, Finding } from './check.js';
import { EventMaker } from './events.js';
import type { Observer } from './observe.js';
import { ReceiverGone } from './unreachable.js';

export interface RunOptions {
  readonly url: string;
  /** The whole text is the key, `whsec_` included (contract §2, row 5). */
  readonly secret: string;
  readonly checks: readonly Check[];
  readonly sender: Sender;
  readonly host: HostTime;
  /** The sender's cap on an answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Ids of events come from here: another seed, or a receiver that remembers them takes the next run for duplicates. */
  readonly seed: number | string;
  readonly observe?: Observer | null;
  /** How long a receiver that stopped answering may take to come back, in milliseconds. Default 5 s. */
  readonly patienceMs?: number;
  /** Called as soon as a check is judged: a run may take a while. */
  readonly onChecked?: (checked: Checked) => void;
}

export interface Checked extends Finding {
  readonly check: Check;
  readonly exchanges: readonly Exchange[];
  /** Machine milliseconds. */
  readonly durationMs: number;
}

export interface Tally {
  readonly passed: number;
  /** Without those that were skipped. */
  readonly total: number;
}

export interface Certificate {
  readonly url: string;
  readonly seed: number | string;
  readonly timeoutMs: number;
  readonly checks: readonly Checked[];
  readonly score: Tally;
  readonly must: Tally;
  /** Whether no must-have failed. */
  readonly certified: boolean;
}

/** @throws ReceiverUnreachable when nobody is there at the first request. */
export async function certify(options: RunOptions): Promise<Certificate> {
  const { url, secret, sender, host, timeoutMs, seed, observe = null, patienceMs = 5_000 } = options;
  const chance = { ids: new Ids(seed, 'certify', {}), makeUp: new MakeUp(seed, 'certify', {}) };
  const events = new EventMaker(chance, () => host.now());
  const bench = new Bench({ url, secret, events, sender, host, timeoutMs, observe });
  const checks: Checked[] = [];
  for (const check of options.checks) {
    const sentBefore = bench.history.length;
    const startedAt = host.monotonic();
    const finding = await play(check, bench);
    const exchanges = bench.history.slice(sentBefore);
    const checked = { check, ...finding, exchanges, durationMs: Math.round(host.monotonic() - startedAt) };
    checks.push(checked);
    options.onChecked?.(checked);
    if (exchanges.some(({ outcome }) => outcome.status === null)) await bench.recover(patienceMs, check.id);
  }
  const musts = checks.filter(({ check }) => check.level === 'must');
  const must = tally(musts);
  return { url, seed, timeoutMs, checks, score: tally(checks), must, certified: must.passed === must.total };
}

async function play(check: Check, bench: Bench): Promise<Finding> {
  try {
    return await check.play(bench);
  } catch (error) {
    if (error instanceof ReceiverGone) return { result: 'failed', found: error.message };
    throw error;
  }
}

function tally(checks: readonly Checked[]): Tally {
  const judged = checks.filter(({ result }) => result !== 'skipped');
  return { passed: judged.filter(({ result }) => result === 'passed').length, total: judged.length };
}

/** A secret that no earlier run has shown. */
export function freshSecret(seed: number | string): string {
  return new Ids(seed, 'certify', {}).secret();
}
