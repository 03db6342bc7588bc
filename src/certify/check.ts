/**
 * The type of a check, which tests one thing that a webhook receiver must get right in production, and the findings
 * that most checks share.
 */
import { STATUS_CODES } from 'node:http';
import type { EventMaker } from './events.js';
import type { Exchange, ReceiverClient, Shipment } from './receiver.js';

export const groups = ['good events', 'unusual but legal', 'forgeries', 'damage', 'time'] as const;
export type Group = (typeof groups)[number];

export interface Finding {
  /** `skipped`: this receiver offers no way to evaluate the check, so it does not count. */
  readonly result: 'passed' | 'failed' | 'skipped';
  /** A description of what came back. */
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
  /** What a failure costs in production. */
  readonly why: string;
  /** The bytes and headers of the requests. */
  readonly sends: string;
  /** The responses of a correct receiver. */
  readonly expects: string;
  /** Runs the check. Errors of the receiver are findings, not exceptions. */
  readonly play: (receiver: ReceiverClient) => Promise<Finding>;
}

type Row = Omit<Check, 'group' | 'level' | 'expects'> & Partial<Pick<Check, 'level' | 'expects'>>;

/** The checks of a group. @param expects of those that have none of their own */
export function checksIn(group: Group, expects: string, rows: readonly Row[]): Check[] {
  return rows.map((row) => ({ level: 'required', expects, ...row, group }));
}

/** Passes when each event gets a 2xx. */
export const accepted =
  (shipments: (events: EventMaker) => readonly Shipment[]): Check['play'] =>
  async (receiver) =>
    evaluateAccepted(await sendEach(receiver, shipments(receiver.parts.events)));

/** Sends events one after the other, and stops at the first request without a response. */
export async function sendEach(receiver: ReceiverClient, shipments: readonly Shipment[]): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const shipment of shipments) {
    const exchange = await receiver.send(shipment);
    exchanges.push(exchange);
    if (exchange.outcome.status === null) break;
  }
  return exchanges;
}

/** Passes if every response was a 2xx within the time limit. */
export function evaluateAccepted(exchanges: readonly Exchange[]): Finding {
  const failures = exchanges.filter(({ outcome }) => !outcome.ok);
  if (failures.length > 0) return { result: 'failed', found: grouped(failures, failureWords) };
  const slowestMs = Math.max(...exchanges.map(({ outcome }) => outcome.durationMs));
  return { result: 'passed', found: `${exchanges.map(statusWords).join(', ')}; slowest ${slowestMs} ms` };
}

/** Passes if every response was a 4xx: any other response accepts the forgery, or makes the service retry. */
export function evaluateRejected(exchanges: readonly Exchange[]): Finding {
  const failures = exchanges.filter(({ outcome }) => !isRejection(outcome.status));
  if (failures.length > 0) return { result: 'failed', found: grouped(failures, unrejectedWords) };
  return { result: 'passed', found: `rejected: ${exchanges.map(statusWords).join(', ')}` };
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

/** The label of an exchange without a 2xx, and what came back. */
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
