/**
 * The API plane, `/v1`. Each call passes these checks, in the documented order: key (401), path (404), method (405),
 * media type (415), size (413), JSON and fields (400). Then its operation runs.
 */
import type { ServerResponse } from 'node:http';
import type { Accounts } from '../../accounts/registry.js';
import { perform } from '../../account/account.js';
import type { Dialect } from '../../dialect/index.js';
import { ServiceError } from '../../domain/errors.js';
import { traced } from '../../domain/trace.js';
import { beyondSchema } from '../../operations/semantic-validation.js';
import { isOperationId, runOperation } from '../../operations/table.js';
import { ScriptedResponse, type Success } from '../../operations/operation.js';
import type { SystemClock } from '../../time/system-clock.js';
import type { RejectedCalls } from '../rejected-calls.js';
import { errorResponse, sendJson } from '../respond.js';
import type { TransferBudget } from '../transfer-budget.js';
import { checkResponse, type CompiledOperations, requestValidator } from '../validation/openapi-validator.js';
import { unknownProperties } from '../validation/document-schema.js';
import { requireAccount } from '../guard.js';
import { checkJsonBody, jsonReader, requireObject } from './body.js';
import {
  type Call,
  contextOf,
  operationOf,
  type Middleware,
  type Next,
  parseQuery,
  pathOf,
  queryText,
} from './request-context.js';
import { runMiddleware } from './request-listener.js';
import { RouteTable, type OpenApiDocument } from './route-table.js';
import { applyDecision, decide, note, preferHeader, readPrefer, takeToken } from './scenario-decision.js';
import { scriptedResponse } from './scenario-response.js';
import { responseSender } from './send-response.js';

export interface ApiRouterParts {
  readonly accounts: Accounts;
  readonly dialect: Dialect;
  readonly document: OpenApiDocument;
  readonly compiled: CompiledOperations;
  readonly host: SystemClock;
  readonly version: string;
  /** The control token, which is not an API key. */
  readonly token: string | null;
  readonly rejected: RejectedCalls;
  readonly transfers: TransferBudget;
  readonly report: (error: unknown) => void;
}

/** Warnings about unknown names in one call. */
const mostWarnings = 100;

/**
 * @param guard decides who may call
 * @param asExpress see `ValidatorParts`
 */
export function apiRouter(
  parts: ApiRouterParts,
  guard: Middleware,
  asExpress: (request: Call, response: ServerResponse) => void,
): Middleware {
  const { accounts, dialect, host, token } = parts;
  const routes = new RouteTable(parts.document);
  const unknown = unknownProperties(parts.document);
  const readJson = jsonReader(parts.transfers);
  const send = responseSender(parts);
  const validate = requestValidator({ ...parts, beyond: beyondSchema, asExpress });

  const authenticate: Middleware = (request, _response, next) => {
    const account = requireAccount(accounts, request.headers.authorization, token);
    account.scheduler.touch(request.method !== 'GET');
    const notice = accounts.notice(account.key);
    request.context = {
      id: account.ids.requestId(),
      account,
      atMs: account.clock.now(),
      startedMs: host.monotonic(),
      warnings: notice === undefined ? [] : [notice],
      path: pathOf(request.originalUrl),
      query: queryText(request.originalUrl),
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

  const route: Middleware = (request, _response, next) => {
    const context = contextOf(request);
    const { account, path } = context;
    request.operation = routes.find(request.method, path, `The API has no path ${path}.`);
    context.prefer = readPrefer(request.headers[preferHeader]);
    if (context.prefer !== null || account.script.hasRulesAt('api.any'))
      perform(account, () => applyDecision(context)(decide(context, 'api.any', { method: request.method, path })));
    next();
  };

  /** Ignores a body on an operation that takes none. */
  const readBody: Middleware = (request, response, next) => {
    const { body } = operationOf(request);
    if (body === 'none') {
      next();
      return;
    }
    checkJsonBody(request, body);
    readJson(request, response, (error) => {
      if (error === undefined) requireObject(request, response, next);
      else next(error);
    });
  };

  const warnOfUnknown = (request: Call, id: string): void => {
    const { warnings, query } = contextOf(request);
    const found = unknown(id, request.body).map((name) => `Unknown property "${name}" was ignored.`);
    for (const name of query === '' ? [] : Object.keys(parseQuery(query))) {
      found.push(`Unknown query parameter "${name}" was ignored.`);
    }
    warnings.push(...found.slice(0, mostWarnings));
    if (found.length > mostWarnings) warnings.push(`${found.length - mostWarnings} more warnings were omitted.`);
  };

  const run: Middleware = (request, response) => {
    const context = contextOf(request);
    const { account, warnings } = context;
    const { operationId: id, method, params } = operationOf(request);
    if (!isOperationId(id)) throw new Error(`no handler for ${id}`);
    warnOfUnknown(request, id);
    if (method !== 'GET') {
      account.store.requireWritable();
      context.changes = true;
    }
    const { body, success } = perform(account, () =>
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
        { params, body: request.body },
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

  const fail = (error: unknown, request: Call, response: ServerResponse, next: Next) => {
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
  const reject = (error: unknown, request: Call, response: ServerResponse, next: Next) => {
    if (!(error instanceof ServiceError)) {
      next(error);
      return;
    }
    const { status, headers, body } = errorResponse(error, dialect, parts.report);
    const { id } = parts.rejected.add(request, status, error.code, error.message);
    sendJson(response, status, { ...headers, 'X-Sandbox': parts.version, 'X-Sandbox-Request': id }, body);
  };

  const all = [guard, authenticate, route, readBody, validate, run];
  return (request, response, next) => {
    runMiddleware(all, request, response, (error) => fail(error, request, response, next));
  };
}

function statusOf(success: Success, dialect: Dialect): number {
  if (success === 'created') return dialect.http.created;
  if (success === 'deleted') return dialect.http.deleted;
  return 200;
}
