/**
 * Compares the compiled schemas with express-openapi-validator on thousands of valid and invalid calls. The schemas
 * accept nothing that the validator rejects, and leave a request in the same state.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import express, { type Request, type Response } from 'express';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import apiDocument from '../../src/generated/api.json' with { type: 'json' };
import { operations as apiOperations } from '../../src/generated/api-validators.js';
import controlDocument from '../../src/generated/control.json' with { type: 'json' };
import { operations as controlOperations } from '../../src/generated/control-validators.js';
import { isShallow } from '../../src/domain/depth.js';
import { createValidator, fits } from '../../src/http/validation/openapi-validator.js';
import { parseQuery } from '../../src/http/api/request-context.js';
import { runMiddleware } from '../../src/http/api/request-listener.js';
import { RouteTable, type OpenApiDocument } from '../../src/http/api/route-table.js';
import { rejectionDocument } from '../../src/http/validation/rejection-document.js';
import { callsOf, type Call } from '../fuzz/support/calls.js';
import { operations, type Operation } from '../fuzz/support/operations.js';
import { cases, fuzzSeed } from '../support/property.js';

const planes = {
  api: { document: apiDocument as OpenApiDocument, compiled: apiOperations, strictQuery: false },
  control: { document: controlDocument as OpenApiDocument, compiled: controlOperations, strictQuery: true },
};

const each = cases(300);

describe.each(['api', 'control'] as const)('%s plane', (name) => {
  const { document, compiled, strictQuery } = planes[name];
  const routes = new RouteTable(document);
  const routeOf = (method: string, path: string) => {
    try {
      return routes.find(method, path, '');
    } catch {
      return null;
    }
  };
  const judge = createValidator(rejectionDocument(document), strictQuery);
  // /livez, /readyz and /metrics are answered before the plane.
  const own = operations.filter(({ plane, path }) => plane === name && /^\/(?:v1|_sandbox)\//.test(path));

  it('has a compiled form of every operation', () => {
    expect(own.map(({ id }) => id).filter((id) => !Object.hasOwn(compiled, id))).toStrictEqual([]);
  });

  it('takes at first sight nothing that the judge refuses, and nearly all that it takes', async () => {
    let atFirstSight = 0;
    let taken = 0;
    for (const operation of own) {
      await fc.assert(
        fc.asyncProperty(callsOf(operation, {}, bodyJudge(operation)), async (call) => {
          const [looked, judged] = [requestOf(call), requestOf(call)];
          const [path = ''] = call.target.split('?', 1);
          const route = routeOf(call.method, path);
          if (route === null || looked === null || judged === null) return;
          const fine = fits(compiled[route.operationId]!, looked, route, strictQuery);
          const verdict = await verdictOf(await judge, judged);
          if (verdict === null) taken += 1;
          if (!fine) return;
          atFirstSight += 1;
          expect(verdict).toBeNull();
          expect(JSON.stringify(looked.body)).toBe(JSON.stringify(judged.body));
          if (strictQuery) expect({ ...looked.query }).toEqual({ ...judged.query });
        }),
        { seed: fuzzSeed, numRuns: operation.body ? each : Math.ceil(each / 3) },
      );
    }
    expect(atFirstSight).toBeGreaterThan(taken * 0.8);
  });
});

const ajv = new Map<object, Ajv2020>();

function bodyJudge({ body, bodyPointer, document }: Operation) {
  if (!body) return null;
  let own = ajv.get(document);
  if (!own) {
    own = new Ajv2020({ strict: false }).addSchema(document, 'document');
    ajv.set(document, own);
  }
  return own.getSchema(`document#${bodyPointer}`) ?? null;
}

/** The validator needs it for path parameters. */
const app = express();

/** Returns the request as the earlier middleware leaves it; null if they have rejected it. */
function requestOf({ method, target, headers, body }: Call): Request | null {
  let read: unknown;
  if (body !== null) {
    if (!/^application\/json/i.test(headers['content-type'] ?? '')) return null;
    try {
      read = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
    } catch {
      return null;
    }
    if (typeof read !== 'object' || read === null || Array.isArray(read) || !isShallow(read)) return null;
  }
  const [path = '', query] = target.split('?', 2);
  return {
    app,
    method,
    path,
    originalUrl: target,
    url: target,
    baseUrl: '',
    headers: { ...headers },
    params: {},
    body: read,
    query: parseQuery(query),
  } as unknown as Request;
}

/** Returns the validator's errors; null if it accepts the request. */
function verdictOf(judge: Parameters<typeof runMiddleware>[0], request: Request): Promise<unknown> {
  return new Promise((resolve) => {
    runMiddleware(judge, request, {} as Response, (error) => resolve(error ?? null));
  });
}
