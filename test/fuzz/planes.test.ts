/**
 * Calls generated from our documents, valid and nearly valid, against a real server. There is never a 5xx, and every
 * response matches the document. Invalid calls are rejected with the invalid field; valid ones are not rejected as
 * malformed.
 */
import fc from 'fast-check';
import { request } from 'undici';
import { describe, it } from 'vitest';
import type { Outcome, Sender } from '../../src/webhooks/send.js';
import { fuzzCases, fuzzSeed } from '../support/property.js';
import { furnish } from '../support/furnish.js';
import type { SeenResponse } from '../support/document-check.js';
import { useCheckedSandbox } from '../support/sandbox.js';
import { callsOf, operations, type Call, type Operation } from './support/calls.js';

/** Receivers that respond at once, without a network: one that accepts everything and one that is down. */
const receivers: Sender = {
  send: ({ url, headers, body }) => {
    const sent = { url, headers, body };
    const response = { headers: {}, body: '', truncated: false };
    const common = { durationMs: 0, sentTo: url, plain: false, request: sent, response };
    const outcome: Outcome = url.startsWith('https://down.')
      ? { ...common, ok: false, status: 503, error: { code: 'non_2xx', message: 'The receiver answered 503.' } }
      : { ...common, ok: true, status: 200 };
    return Promise.resolve(outcome);
  },
  close: () => Promise.resolve(),
};

const { sandbox } = useCheckedSandbox({ logLevel: 'silent' }, { sender: receivers });

async function send({ method, target, headers, body }: Call, key: string): Promise<SeenResponse> {
  const all = { authorization: `Bearer ${key}`, ...headers };
  const answer = await request(sandbox.url + target, { method: method as 'GET', headers: all, body });
  const given = answer.headers as Record<string, string>;
  return { status: answer.statusCode, headers: new Headers(given), text: await answer.body.text() };
}

/**
 * The reasons for rejecting a call that its schema accepts: rules between fields, or about the meaning of a text, which
 * a schema cannot express. Any other rejection as malformed is an error of the document or of the code.
 */
const beyond: readonly (readonly [operation: RegExp, message: RegExp])[] = [
  [/./, /nested too deeply/],
  [/^sendMessage$/, /must be unique among the buttons|list-style|^media_url must be a complete/],
  [/^createTemplate$/, /placeholder|characters as JSON/i],
  [/^(createWebhook|registerEndpoint)$/, /complete https:\/\/ URL/],
  [/^(setClock|advanceClock)$/, /is in the past|where account time ends/],
  [/^(setClock|advanceClock|setCustomerWindow|resetAccount)$/, /must be a date and time in UTC, from the year/],
  [/^redeliver(Event|Delivery)$/, /cannot be requested and dropped/],
  [/^reportMessageStatus$/, /belongs to status "failed" only/],
  [/^advanceClock$/, /^max belongs to until "idle" only/],
  [/^waitForMatch$/, /is not a query parameter of GET |; found "/],
  [/^(setClock|resetAccount)$/, /(scale|quiet_real) belongs to mode|quiet_real must be at most/],
  [/^resetAccount$/, /^keep names (clock|scenario)/],
  [/^certifyEndpoint$/, /is a sink of the sandbox/],
  [/^sendInbound$/, /^media_url must be a complete/],
];

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly field?: string; readonly path?: string; readonly message: string }[];
}

function faultsOf({ id }: Operation, { fate, places, headers }: Call, reply: SeenResponse): string[] {
  // A response that a rule set does not say anything about the sandbox; a sink returns any status.
  if (reply.headers.has('x-sandbox-rule') || reply.status === 431 || id === 'receiveAtSink') return [];
  if (reply.status >= 500) return [`the sandbox failed with ${reply.status}`];
  if (headers['x-sandbox-prefer'] !== undefined) return [];
  const refusal = reply.status >= 400 ? (JSON.parse(reply.text) as { error: Refusal }).error : null;
  if (fate === 'refused' && reply.status !== 400) return [`was not refused as malformed, but answered ${reply.status}`];
  if (fate === 'refused' && places.length > 0 && !namesOneOf(places, refusal))
    return [`names none of ${places.join(', ')}`];
  const isBeyond = beyond.some(([operation, words]) => operation.test(id) && words.test(refusal?.message ?? ''));
  if (fate === 'taken' && refusal?.code === 'validation_error' && !isBeyond)
    return [`was refused although the document takes it: ${refusal.message}`];
  return [];
}

/** One of the details must name one of the fields, its parent, or a part of it; for the whole body, the message may. */
function namesOneOf(places: readonly string[], refusal: Refusal | null): boolean {
  const within = (inner: string, outer: string) => inner === outer || /^[.[]/.test(inner.slice(outer.length));
  // What is not read as JSON has no fields.
  if (refusal?.details === undefined) return /nested too deeply|not valid|JSON object/.test(refusal?.message ?? '');
  return refusal.details.some(({ field, path, message }) => {
    const at = field ?? path ?? '';
    return places.some((place) =>
      place === '' || at === ''
        ? at === '' || message !== ''
        : (at.startsWith(place) && within(at, place)) || (place.startsWith(at) && within(place, at)),
    );
  });
}

/** Most errors are in bodies, so calls without a body are tried only a few times. */
const weight = ({ body, parameters }: Operation): number => 1 + 2 * parameters.length + (body ? 30 : 0);
const whole = operations.reduce((sum, operation) => sum + weight(operation), 0);

describe(`calls from the documents (FUZZ_SEED=${fuzzSeed} FUZZ_CASES=${fuzzCases})`, () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s',
    async (id, operation) => {
      const key = `fuzz-${id}`;
      const pool = await furnish(sandbox.url, key);
      const numRuns = Math.max(20, Math.ceil((fuzzCases * weight(operation)) / whole));
      await fc.assert(
        fc.asyncProperty(callsOf(operation, pool), async (call) => {
          const reply = await send(call, key);
          const faults = faultsOf(operation, call, reply);
          // The parser of HTTP answers a head that is too long, not the plane.
          if (reply.status !== 431) sandbox.check.response(call.method, call.target, reply, call.body?.toString());
          if (faults.length === 0) return;
          const sent = `${call.method} ${call.target}\n${call.body?.toString().slice(0, 2000) ?? 'no body'}`;
          throw new Error(`${faults.join('\n')}\n${sent}\n→ ${reply.status} ${reply.text.slice(0, 1000)}`);
        }),
        { seed: fuzzSeed, numRuns, includeErrorInReport: true },
      );
    },
    300_000,
  );
});
