/** The verdicts that most checks share: taken in, refused, lived through. */
import { STATUS_CODES } from 'node:http';
import type { Bench, Exchange, Shipment } from './bench.js';
import type { Finding } from './check.js';

/** One after the other; the rest is not sent once there was no answer, for it could not be told apart. */
export async function sendEach(bench: Bench, shipments: readonly Shipment[]): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const shipment of shipments) {
    const exchange = await bench.send(shipment);
    exchanges.push(exchange);
    if (exchange.outcome.status === null) break;
  }
  return exchanges;
}

/** Passes when every answer was a 2xx within the cap (interface document §6, rule 1). */
export function judgeAccepted(exchanges: readonly Exchange[]): Finding {
  const failures = exchanges.filter(({ outcome }) => !outcome.ok);
  if (failures.length > 0) return { result: 'failed', found: failures.map(failureWords).join('; ') };
  return { result: 'passed', found: `${exchanges.map(statusWords).join(', ')}; ${slowestWords(exchanges)}` };
}

/** Passes when every answer was a 4xx: anything else took the forgery in, or makes the service send it again. */
export function judgeRefused(exchanges: readonly Exchange[]): Finding {
  const failures = exchanges.filter(({ outcome }) => !isRefusal(outcome.status));
  if (failures.length > 0) return { result: 'failed', found: failures.map(unrefusedWords).join('; ') };
  return { result: 'passed', found: `refused: ${exchanges.map(statusWords).join(', ')}` };
}

/** Passes when something was answered, whatever it was, and the next good event is taken in. */
export async function judgeSurvived(bench: Bench, shipment: Shipment): Promise<Finding> {
  const damaged = await bench.send(shipment);
  if (damaged.outcome.status === null) return { result: 'failed', found: failureWords(damaged) };
  const next = await bench.send({ label: 'next good event', event: bench.events.sample('message.received') });
  if (!next.outcome.ok) return { result: 'failed', found: `${statusWords(damaged)}, but then ${failureWords(next)}` };
  return { result: 'passed', found: `${statusWords(damaged)}; the next good event: ${statusWords(next)}` };
}

export function isRefusal(status: number | null): boolean {
  return status !== null && status >= 400 && status <= 499;
}

/** `401 Unauthorized`. */
export function statusWords({ outcome: { status } }: Exchange): string {
  if (status === null) return 'no answer';
  const reason = STATUS_CODES[status];
  return reason === undefined ? String(status) : `${status} ${reason}`;
}

function slowestWords(exchanges: readonly Exchange[]): string {
  return `slowest ${Math.max(...exchanges.map(({ outcome }) => outcome.durationMs))} ms`;
}

function failureWords({ label, outcome }: Exchange): string {
  const said = outcome.response?.body.trim().slice(0, 120) ?? '';
  // As JSON, for what a stranger answers must not steer the terminal it is printed on.
  const quoted = said === '' ? '' : ` It said ${JSON.stringify(said)}.`;
  return `${label}: ${outcome.error?.message ?? ''}${quoted}`;
}

function unrefusedWords(exchange: Exchange): string {
  const { label, outcome } = exchange;
  const { status } = outcome;
  if (status === null) return failureWords(exchange);
  if (status < 300) return `${label}: taken in with ${statusWords(exchange)}`;
  if (status < 400) return `${label}: answered ${statusWords(exchange)}, which is no refusal`;
  return `${label}: broke with ${statusWords(exchange)} instead of refusing`;
}
