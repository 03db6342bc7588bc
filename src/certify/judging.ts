/** The verdicts that most checks share: taken in, refused, lived through. */
import { STATUS_CODES } from 'node:http';
import type { Bench, Exchange, Shipment } from './receiver-client.js';
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
  if (failures.length > 0) return { result: 'failed', found: grouped(failures, failureWords) };
  return { result: 'passed', found: `${exchanges.map(statusWords).join(', ')}; ${slowestWords(exchanges)}` };
}

/** Passes when every answer was a 4xx: anything else took the forgery in, or makes the service send it again. */
export function judgeRefused(exchanges: readonly Exchange[]): Finding {
  const failures = exchanges.filter(({ outcome }) => !isRefusal(outcome.status));
  if (failures.length > 0) return { result: 'failed', found: grouped(failures, unrefusedWords) };
  return { result: 'passed', found: `refused: ${exchanges.map(statusWords).join(', ')}` };
}

/** Passes when something was answered, whatever it was, and the next good event is taken in. */
export async function judgeSurvived(bench: Bench, shipment: Shipment): Promise<Finding> {
  const damaged = await bench.send(shipment);
  if (damaged.outcome.status === null) return { result: 'failed', found: grouped([damaged], failureWords) };
  const next = await bench.send({ label: 'next good event', event: bench.events.sample('message.received') });
  if (!next.outcome.ok) {
    return { result: 'failed', found: `${statusWords(damaged)}, but then ${grouped([next], failureWords)}` };
  }
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

/** `sent, read: The receiver answered 401 …`: what several have in common is said once. */
function grouped(exchanges: readonly Exchange[], wordsOf: (exchange: Exchange) => string): string {
  const labels = new Map<string, string[]>();
  for (const exchange of exchanges) {
    const words = wordsOf(exchange);
    labels.set(words, [...(labels.get(words) ?? []), exchange.label]);
  }
  return [...labels].map(([words, of]) => `${of.join(', ')}: ${words}`).join(' ');
}

function failureWords({ outcome }: Exchange): string {
  const said = outcome.response?.body.trim().slice(0, 120) ?? '';
  const quoted = said === '' ? undefined : `It said ${JSON.stringify(said)}.`;
  // The hints for a status speak of registering; those for a missing answer say where to look.
  const hint = outcome.status === null ? outcome.hint : undefined;
  return [outcome.error?.message, quoted, hint].filter((part) => part !== undefined).join(' ');
}

function unrefusedWords(exchange: Exchange): string {
  const { status } = exchange.outcome;
  if (status === null) return failureWords(exchange);
  if (status < 300) return `taken in with ${statusWords(exchange)}.`;
  if (status < 400) return `answered ${statusWords(exchange)}, which is no refusal.`;
  return `broke with ${statusWords(exchange)} instead of refusing.`;
}
