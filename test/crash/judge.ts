/** Checks a sandbox after a restart. Each finding is a sentence; there should be none. */
import type { Connection } from '../../src/client/connection.js';
import type { Clock, Delivery, Message, Otp } from '../../src/client/types.js';
import { verifySignature } from '../../src/webhooks/sign.js';
import type { Ledger } from './load.js';
import type { Received } from '../support/receivers.js';

const minute = 60_000;
/** The gaps after the first, second and third attempt; later ones are hourly. */
const gaps = [1, 5, 30].map((minutes) => minutes * minute);

/** Everything that was confirmed still exists. */
export async function judgeStored(account: Connection, { messages, codes, clock }: Ledger): Promise<string[]> {
  const stored = (await account.list<Message>('/_sandbox/messages')).map((one) => one.message_id);
  const sent = (await account.list<Otp>('/_sandbox/otps')).map((one) => one.otp_id);
  const findings = [...missing('message', messages, new Set(stored)), ...missing('code', codes, new Set(sent))];
  const { now } = await account.call<Clock>('GET', '/_sandbox/clock');
  if (clock > now) findings.push(`the clock had reached ${clock} and stands at ${now}`);
  return findings;
}

function missing(what: string, told: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  return [...told].filter((id) => !known.has(id)).map((id) => `${what} ${id} was answered and is gone`);
}

/**
 * Each pending delivery has a job that is due according to the retry schedule; `advance 40m` then makes the attempt at
 * that instant.
 */
export async function judgeRetries(account: Connection, received: readonly Received[]): Promise<string[]> {
  const findings: string[] = [];
  // Attempts that were due at the crash are made at the start, so they finish first.
  await account.call('POST', '/_sandbox/idle?timeout=10s');
  const jobs = new Map(
    (await account.list<{ job: string; subject: string; due: string }>('/_sandbox/clock/jobs')).map((job) => [
      `${job.job} ${job.subject}`,
      job,
    ]),
  );
  const waiting = (await account.list<Delivery>('/_sandbox/deliveries', { state: 'retrying' })).map((delivery) => {
    const last = delivery.attempts.at(-1);
    const gap = gaps[(last?.number ?? 0) - 1] ?? 60 * minute;
    const expected = last && new Date(Date.parse(last.at) + gap).toISOString();
    const due = jobs.get(`delivery.attempt ${delivery.id}`)?.due;
    if (delivery.next_attempt_at !== expected || due !== expected) {
      findings.push(
        `delivery ${delivery.id}: attempt ${last?.number ?? 0} at ${last?.at ?? '-'}, so the next is due at ${expected ?? '-'}; ` +
          `it says ${delivery.next_attempt_at ?? 'none'}, its job ${due ?? 'none'}`,
      );
    }
    return { id: delivery.id, number: (last?.number ?? 0) + 1, at: expected };
  });
  await account.call('POST', '/_sandbox/clock/advance', { by: '40m' });
  const later = new Map(
    (await account.list<Delivery>('/_sandbox/deliveries')).map((delivery) => [delivery.id, delivery]),
  );
  const tried = new Set(received.map((one) => `${headerOf(one, 'delivery')} ${headerOf(one, 'attempt')}`));
  for (const { id, number, at } of waiting) {
    const made = later.get(id)?.attempts.find((attempt) => attempt.number === number)?.at;
    if (made !== at)
      findings.push(`delivery ${id}: attempt ${number} was due at ${at ?? '-'} and made at ${made ?? '-'}`);
    if (!tried.has(`${id} ${number}`)) findings.push(`delivery ${id}: attempt ${number} never reached the receiver`);
  }
  for (const { id, state } of later.values()) {
    if (state === 'pending' || state === 'retrying') findings.push(`delivery ${id} is still ${state} 40 minutes on`);
  }
  return findings;
}

/** Every event has one id, one body and a valid signature, whether its attempts were made before or after a crash. */
export async function judgeEvents(
  account: Connection,
  received: readonly Received[],
  secrets: Map<string, string>,
): Promise<string[]> {
  const findings: string[] = [];
  const bodies = new Map<string, string>();
  const facts = new Map<string, string>();
  for (const one of received) {
    const { body, path } = one;
    const eventId = headerOf(one, 'event-id');
    if (!verifySignature(secrets.get(path) ?? '', body, headerOf(one, 'signature')))
      findings.push(`event ${eventId} came to ${path} badly signed`);
    if ((bodies.get(eventId) ?? body) !== body) findings.push(`event ${eventId} came with two bodies`);
    bodies.set(eventId, body);
    const fact = factOf(body);
    if ((facts.get(fact) ?? eventId) !== eventId)
      findings.push(`${fact} came under two ids: ${facts.get(fact)}, ${eventId}`);
    facts.set(fact, eventId);
  }
  const stored = new Set((await account.list<{ id: string }>('/_sandbox/events')).map(({ id }) => id));
  // An account keeps its newest events, and says how many older ones are gone.
  const { trimmed = 0 } = await account.call<{ trimmed?: number }>('GET', '/_sandbox/events?limit=1');
  const gone = [...bodies.keys()].filter((id) => !stored.has(id)).slice(trimmed);
  for (const id of gone) findings.push(`event ${id} was delivered and is not in the log`);
  return findings;
}

const headerOf = ({ headers }: Received, name: string): string => String(headers[`x-service-${name}`] ?? '');

/** Returns what an event reports, without its id: no two events may report the same. */
function factOf(body: string): string {
  const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
  return [type, data['message_id'] ?? data['template_id'] ?? data['otp_id'], data['status'] ?? ''].join(' ');
}
