/**
 * Calls generated from our documents, valid and nearly valid, against a real server. There is never a 5xx, and every
 * response matches the document.
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
          // The parser of HTTP rejects a head that is too long, not the plane.
          if (reply.status === 431) return;
          sandbox.check.response(call.method, call.target, reply, call.body?.toString());
          // A response that a rule set says nothing about the sandbox, and a sink returns any status.
          if (reply.status < 500 || reply.headers.has('x-sandbox-rule') || id === 'receiveAtSink') return;
          throw new Error(`${call.method} ${call.target}\n${call.body?.toString() ?? 'no body'}\n→ ${reply.text}`);
        }),
        { seed: fuzzSeed, numRuns, includeErrorInReport: true },
      );
    },
    300_000,
  );
});
