/**
 * The API plane, `/v1`. Each call passes these checks, in the documented order: key (401), path (404), method (405),
 * media type (415), size (413), JSON and fields (400). Then its operation runs.
 */
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Accounts } from '../../account/registry.js';
import { transaction } from '../../account/account.js';
import type { Dialect } from '../../dialect/index.js';
import { ServiceError } from '../../domain/errors.js';
import { traced } from '../../domain/request.js';
import { beyondSchema } from '../../operations/semantic-validation.js';
import { isOperationId, runOperation } from '../../operations/table.js';
import { ScriptedResponse, type Success } from '../../operations/operation.js';
import type { SystemClock } from '../../time/system-clock.js';
import { checkJsonBody, hasBody, jsonBody, requireObject } from '../body.js';
import { type Call, contextOf, operationOf, pathOf, queryText } from '../call.js';
import { requireAccount } from '../guard.js';
import { addOperations, type BodyNeed, type OpenApiDocument } from '../operations.js';
import type { RejectedCalls } from '../rejected-calls.js';
import { errorResponse, sendJson } from '../respond.js';
import { bodySchema, unknownProperties } from '../validation/document-schema.js';
import { checkResponse, type CompiledOperations, requestValidator } from '../validation/request-validator.js';
import { applyDecision, decide, note, preferHeader, readPrefer, takeToken } from './scenario-decision.js';
import { scriptedResponse } from './scenario-response.js';
import { responseSender } from './send-response.js';

export interface ApiRouterParts {
  readonly accounts: Accounts;
  readonly dialect: Dialect;
  /** The requests of both planes. */
  readonly document: OpenApiDocument;
  readonly compiled: CompiledOperations;
  readonly host: SystemClock;
  readonly version: string;
  /** The control token, which is not an API key. */
  readonly token: string | null;
  readonly rejected: RejectedCalls;
  readonly report: (error: unknown) => void;
}

/** Warnings about unknown names in one call. */
const mostWarnings = 100;

/** @param guard decides who may call */
export function apiRouter(parts: ApiRouterParts, guard: RequestHandler): Router {
  const { accounts, dialect, host, token } = parts;
  const send = responseSender(parts);
  const validate = requestValidator({ ...parts, beyond: beyondSchema });

  const authenticate: RequestHandler = (request: Call, _response, next) => {
    const account = requireAccount(accounts, request.headers.authorization, token);
    account.scheduler.touch(request.method !== 'GET');
    const notice = accounts.notice(account.key);
    request.context = {
      id: account.ids.requestId(),
      account,
      atMs: account.clock.now(),
      startedMs: host.monotonic(),
      warnings: notice === undefined ? [] : [notice],
      path: pathOf(request),
      query: queryText(request),
      explain: null,
      error: null,
      entry: null,
      prefer: null,
      rule: null,
      fault: null,
      respond: null,
      heldMs: 0,
      faultReal: undefined,
      changes: false,
    };
    next();
  };

  const applyRules: RequestHandler = (request: Call, _response, next) => {
    const context = contextOf(request);
    const { account, path } = context;
    context.prefer = readPrefer(request.headers[preferHeader]);
    if (context.prefer !== null || account.script.hasRulesAt('api.any'))
      transaction(account, () =>
        applyDecision(context)(decide(context, 'api.any', { method: request.method, url: path })),
      );
    next();
  };

  const warnOfUnknown = (request: Call): void => {
    const { warnings, query } = contextOf(request);
    const { document } = parts;
    const schema = bodySchema(document, operationOf(request), request.body);
    const found = unknownProperties(document, schema, request.body).map(
      (name) => `Unknown property "${name}" was ignored.`,
    );
    for (const name of query === '' ? [] : Object.keys(request.query)) {
      found.push(`Unknown query parameter "${name}" was ignored.`);
    }
    warnings.push(...found.slice(0, mostWarnings));
    if (found.length > mostWarnings) warnings.push(`${found.length - mostWarnings} more warnings were omitted.`);
  };

  const run: RequestHandler = (request: Call, response) => {
    const context = contextOf(request);
    const { account, warnings } = context;
    const { operationId: id, method } = operationOf(request);
    if (!isOperationId(id)) throw new Error(`no handler for ${id}`);
    warnOfUnknown(request);
    if (method !== 'GET') {
      account.store.requireWritable();
      context.changes = true;
    }
    const { body, success } = transaction(account, () =>
      runOperation(
        id,
        {
          account,
          nowMs: account.clock.now(),
          trace: traced(request.headers['traceparent'] as string | undefined),
          warn: (text) => void warnings.push(text),
          explain: (explain) => void (context.explain ??= explain),
          credit: (explain) => note(context, explain),
          decide: (hook, facts) => decide(context, hook, facts),
          applyDecision: applyDecision(context),
          takeToken: takeToken(context),
        },
        { params: request.params as Record<string, string>, body: request.body as unknown },
      ),
    );
    const status = statusOf(success, dialect);
    if (status === 204) {
      send(request, response, { status, headers: {} });
      return;
    }
    checkResponse(parts.compiled, id, status, body);
    send(request, response, { status, headers: {}, body });
  };

  const fail: ErrorRequestHandler = (error: unknown, request: Call, response, next) => {
    const { context } = request;
    if (!context) {
      reject(error, request, response, next);
      return;
    }
    if (error instanceof ScriptedResponse) {
      context.heldMs = error.effect.latencyRealMs ?? 0;
      context.faultReal = error.effect.faultReal;
      const scripted = scriptedResponse(error.effect, null, request, dialect);
      context.error = scripted.code ?? null;
      send(request, response, scripted);
      return;
    }
    const failure = errorResponse(error, dialect, parts.report);
    context.error = failure.code;
    send(request, response, failure);
  };

  /** Rejects a call without an account, and therefore without a journal: it is listed with the rejected calls. */
  const reject: ErrorRequestHandler = (error: unknown, request: Call, response, next) => {
    if (!(error instanceof ServiceError)) {
      next(error);
      return;
    }
    const { status, headers, body } = errorResponse(error, dialect, parts.report);
    const { id } = parts.rejected.add(request, status, error.code, error.message);
    sendJson(response, status, { ...headers, 'X-Sandbox': parts.version, 'X-Sandbox-Request': id }, body);
  };

  const router = Router({ strict: true, caseSensitive: true });
  router.use('/v1', guard, authenticate);
  addOperations(router, parts.document, '/v1', ({ body }) => [
    applyRules,
    // A body on an operation that takes none is ignored.
    ...(body === 'none' ? [] : [readBody(body), requireObject]),
    validate,
    run,
  ]);
  router.use('/v1', (request) => {
    throw new ServiceError('not_found', `The API has no path ${pathOf(request)}.`);
  });
  router.use('/v1', fail);
  return router;
}

const readJson = jsonBody();

function readBody(need: BodyNeed): RequestHandler {
  return (request, response, next) => {
    checkJsonBody(request, need);
    if (hasBody(request)) void readJson(request, response, next);
    else next();
  };
}

function statusOf(success: Success, dialect: Dialect): number {
  if (success === 'created') return dialect.http.created;
  if (success === 'deleted') return 204;
  return 200;
}
