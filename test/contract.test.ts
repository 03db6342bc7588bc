/** What the documents promise and what the code has are the same, both ways. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { errorTable } from '../src/domain/errors.js';
import { controlHandlers } from '../src/http/control/router.js';
import type { OpenApiDocument } from '../src/http/operations.js';
import { operations } from '../src/operations/table.js';

const apiDocument = parse(readFileSync('openapi.yaml', 'utf8')) as OpenApiDocument;
const controlDocument = parse(readFileSync('src/generated/control.json', 'utf8')) as OpenApiDocument;
const idsOf = ({ paths }: OpenApiDocument) =>
  Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, { operationId?: string }>).flatMap(({ operationId }) => operationId ?? []),
  );
const [apiIds, controlIds] = [idsOf(apiDocument), idsOf(controlDocument)];

/** Answered before the control plane's own steps, in `app.ts`: they need no account and no validation. */
const answeredByTheApp = ['checkLiveness', 'checkReadiness'];

describe('the API document', () => {
  it('and the operations name each other', () => {
    expect([...apiIds].sort()).toEqual(Object.keys(operations).sort());
  });

  it('names every operation once', () => {
    expect(new Set([...apiIds, ...controlIds]).size).toBe(apiIds.length + controlIds.length);
  });
});

describe('the control document', () => {
  it('has a handler for every operation', () => {
    const missing = controlIds.filter((id) => !Object.hasOwn(controlHandlers, id) && !answeredByTheApp.includes(id));
    expect(missing).toEqual([]);
  });

  it('describes every handler', () => {
    expect(Object.keys(controlHandlers).filter((id) => !controlIds.includes(id))).toEqual([]);
  });

  it('describes what the app answers itself, which has no handler besides', () => {
    for (const id of answeredByTheApp) {
      expect(controlIds, id).toContain(id);
      expect(Object.keys(controlHandlers), id).not.toContain(id);
    }
  });

  it('and the API document share no path', () => {
    const apiPaths = Object.keys(apiDocument.paths);
    expect(Object.keys(controlDocument.paths).filter((path) => apiPaths.includes(path))).toEqual([]);
    expect(apiPaths.filter((path) => !path.startsWith('/v1/'))).toEqual([]);
  });
});

it('the table of errors has what the interface document names', () => {
  for (const code of ['no_default_otp_template', 'send_failed', 'otp_max_attempts', 'otp_expired'])
    expect(Object.keys(errorTable)).toContain(code);
});
