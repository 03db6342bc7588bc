/** A check tests one thing that a webhook receiver must get right in production. */
import { STATUS_CODES } from 'node:http';
import { defaultDialect, type Dialect } from '../dialect/index.js';
import { wireOf } from '../dialect/wire.js';
import { eventMaker, type EventMaker } from './events.js';
import {
  CheckError,
  type Exchange,
  type Observer,
  Receiver,
  type ReceiverParts,
  type Service,
  type Shipment,
} from './receiver.js';

export const groups = ['good events', 'unusual but legal', 'forgeries', 'damage', 'time'] as const;
export type Group = (typeof groups)[number];

export interface Finding {
  /** `skipped`: this receiver offers no way to evaluate the check, so it does not count. */
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly found: string;
}

/** `docs/certify.md` is generated from the texts. */
export interface Check {
  /** Stable: used by `--only` and in JUnit reports. */
  readonly id: string;
  readonly group: Group;
  readonly title: string;
  /** `required`: without it, events are lost, duplicated or forged. `recommended`: without it, some cases fail. */
  readonly level: 'required' | 'recommended';
  /** The cost of a failure in production. */
  readonly why: string;
  readonly sends: string;
  readonly expects: string;
  /** Errors of the receiver are findings, not exceptions. */
  readonly play: (receiver: Receiver) => Promise<Finding>;
}

type Row = Omit<Check, 'group' | 'level' | 'expects'> & Partial<Pick<Check, 'level' | 'expects'>>;

export function checksIn(group: Group, expects: string, rows: readonly Row[]): Check[] {
  return rows.map((row) => ({ level: 'required', expects, ...row, group }));
}

export const passed = (found: string): Finding => ({ result: 'passed', found });
export const failed = (found: string): Finding => ({ result: 'failed', found });
export const skipped = (found: string): Finding => ({ result: 'skipped', found });

export const accepted =
  (shipments: (events: EventMaker) => readonly Shipment[]): Check['play'] =>
  async (receiver) =>
    evaluateAccepted(await receiver.sendEach(shipments(receiver.parts.events)));

/** Passes if every response was a 2xx within the time limit. */
export function evaluateAccepted(exchanges: readonly Exchange[]): Finding {
  const failures = exchanges.filter(({ outcome }) => !outcome.ok);
  if (failures.length > 0) return failed(grouped(failures, failureWords));
  const slowestMs = Math.max(...exchanges.map(({ outcome }) => outcome.durationMs));
  return passed(`${exchanges.map(statusWords).join(', ')}; slowest ${slowestMs} ms`);
}

/** Passes if every response was a 4xx: any other response accepts the forgery, or makes the service retry. */
export function evaluateRejected(exchanges: readonly Exchange[]): Finding {
  const failures = exchanges.filter(({ outcome }) => !isRejection(outcome.status));
  if (failures.length > 0) return failed(grouped(failures, unrejectedWords));
  return passed(`rejected: ${exchanges.map(statusWords).join(', ')}`);
}

export function isRejection(status: number | null): boolean {
  return status !== null && status >= 400 && status <= 499;
}

/** `401 Unauthorized`. */
export function statusWords({ outcome: { status } }: Exchange): string {
  return status === null ? 'no response' : `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

/** `sent, read: The receiver answered 401 …`: labels with the same text share it. */
function grouped(exchanges: readonly Exchange[], wordsOf: (exchange: Exchange) => string): string {
  const labels = new Map<string, string[]>();
  for (const exchange of exchanges) {
    const words = wordsOf(exchange);
    labels.set(words, [...(labels.get(words) ?? []), exchange.label]);
  }
  return [...labels].map(([words, of]) => `${of.join(', ')}: ${words}`).join(' ');
}

export const failureOf = (exchange: Exchange): string => grouped([exchange], failureWords);

function failureWords({ outcome }: Exchange): string {
  const said = outcome.response?.body.trim().slice(0, 120) ?? '';
  const quoted = said === '' ? undefined : `Its body: ${JSON.stringify(said)}.`;
  // Hints for a status are about registration; hints for a missing response say where to look.
  const hint = outcome.status === null ? outcome.hint : undefined;
  return [outcome.error?.message, quoted, hint].filter((part) => part !== undefined).join(' ');
}

function unrejectedWords(exchange: Exchange): string {
  const { status } = exchange.outcome;
  if (status === null) return failureWords(exchange);
  if (status < 300) return `accepted with ${statusWords(exchange)}.`;
  if (status < 400) return `answered ${statusWords(exchange)}, which is not a rejection.`;
  return `failed with ${statusWords(exchange)} instead of rejecting it.`;
}

export interface RunOptions extends Omit<ReceiverParts, 'events' | 'observe' | 'service'> {
  readonly checks: readonly Check[];
  /** With the same seed, a receiver that remembers ids treats the next run as duplicates. */
  readonly seed: number | string;
  readonly observe?: Observer | null;
  readonly service?: Service | null;
  /** Form of the events. Default: the default dialect. */
  readonly dialect?: Dialect;
  /** The customers of the run have an open window in the sandbox that the receiver calls. Default: false. */
  readonly windowsOpen?: boolean;
  /** Milliseconds. Default: 5 s. */
  readonly patienceMs?: number;
  readonly onChecked?: (checked: Checked) => void;
}

export interface Checked extends Finding {
  readonly check: Check;
  readonly exchanges: readonly Exchange[];
  /** System time. */
  readonly durationMs: number;
}

export interface Tally {
  readonly passed: number;
  readonly total: number;
}

export interface Certificate {
  readonly url: string;
  readonly timeoutMs: number;
  readonly windowsOpen: boolean;
  readonly checks: readonly Checked[];
  readonly score: Tally;
  readonly required: Tally;
  /** No required check failed. */
  readonly certified: boolean;
}

export async function certify(options: RunOptions): Promise<Certificate> {
  const {
    url,
    host,
    timeoutMs,
    seed,
    observe = null,
    service = null,
    patienceMs = 5_000,
    windowsOpen = false,
  } = options;
  const events = eventMaker(seed, () => host.now(), wireOf(options.dialect ?? defaultDialect));
  const receiver = new Receiver({ ...options, events, observe, service });
  const checks: Checked[] = [];
  for (const check of options.checks) {
    const sentBefore = receiver.history.length;
    const startedAt = host.monotonic();
    const finding = await check.play(receiver).catch((error: unknown): Finding => {
      if (error instanceof CheckError) return failed(error.message);
      throw error;
    });
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

function tally(checks: readonly Checked[]): Tally {
  const counted = checks.filter(({ result }) => result !== 'skipped');
  return { passed: counted.filter(({ result }) => result === 'passed').length, total: counted.length };
}
