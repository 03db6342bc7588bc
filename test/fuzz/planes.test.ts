/**
 * Calls generated from our documents, valid and nearly valid, against a real server. There is never a 5xx, and every
 * response matches the document. Invalid calls are rejected with the invalid field; valid ones are not rejected as
 * malformed.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Outcome, Sender } from '../../src/webhooks/exchange.js';
import { useCheckedSandbox } from '../support/sandbox.js';
import { callsOf } from './support/calls.js';
import { checkReply } from './support/check.js';
import { furnish } from './support/furnish.js';
import { operations, type Operation } from './support/operations.js';
import { fuzzCases, fuzzSeed } from '../support/property.js';
import { Wire } from './support/wire.js';

/** Receivers that respond at once, without a network: one that accepts everything and one that is down. */
const receivers: Sender = {
  send: ({ url, headers, body }) => {
    const request = { url, headers, body: body.toString() };
    const common = {
      durationMs: 0,
      sentTo: url,
      plain: false,
      request,
      response: { headers: {}, body: '', truncated: false },
    };
    const outcome: Outcome = url.startsWith('https://down.')
      ? { ...common, ok: false, status: 503, error: { code: 'non_2xx', message: 'The receiver answered 503.' } }
      : { ...common, ok: true, status: 200 };
    return Promise.resolve(outcome);
  },
  close: () => Promise.resolve(),
};

const { sandbox } = useCheckedSandbox({ logLevel: 'silent' }, { sender: receivers });
let wire: Wire;
beforeAll(() => {
  wire = new Wire(sandbox.url);
});
afterAll(() => wire.close());

/** Most errors are in bodies, so calls without a body are tried only a few times. */
function weight({ body, parameters }: Operation): number {
  return 1 + 2 * parameters.length + (body ? 30 : 0);
}

const whole = operations.reduce((sum, operation) => sum + weight(operation), 0);

const ajvOf = new Map(
  [...new Set(operations.map(({ document }) => document))].map((document) => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema(document, 'document');
    return [document, ajv];
  }),
);

function judgeOf({ body, document, bodyPointer }: Operation) {
  return body ? (ajvOf.get(document)?.compile({ $ref: `document#${encodeURI(bodyPointer)}` }) ?? null) : null;
}

describe(`calls from the documents (FUZZ_SEED=${fuzzSeed} FUZZ_CASES=${fuzzCases})`, () => {
  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s',
    async (id, operation) => {
      const key = `fuzz-${id}`;
      const pool = await furnish(sandbox.url, key);
      const numRuns = Math.max(20, Math.ceil((fuzzCases * weight(operation)) / whole));
      await fc.assert(
        fc.asyncProperty(callsOf(operation, pool, judgeOf(operation)), async (call) => {
          const { violations } = sandbox.oracle;
          const before = violations.length;
          const reply = await wire.send(call, key);
          const broken = violations.slice(before);
          const faults = [
            ...checkReply(operation, call, reply),
            ...broken.map(
              ({ of, where, expected, found }) => `breaks the document: ${of} ${where}: ${expected}; found ${found}`,
            ),
          ];
          if (faults.length === 0) return;
          throw new Error(
            `${faults.join('\n')}\n${wire.curl(call, key)}\n(${call.how})\n→ ${reply.status} ${reply.text.slice(0, 1000)}`,
          );
        }),
        { seed: fuzzSeed, numRuns, includeErrorInReport: true },
      );
    },
    300_000,
  );
});
