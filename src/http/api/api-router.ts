/**
 * The API plane, `/v1`. Each call passes these checks, in the documented order: key (401), path (404), method (405),
 * media type (415), size (413), JSON and fields (400). Then its operation runs.
 */
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Accounts } from '../../account/registry.js';
import { transaction } from '../../account/account.js';
import type { Dialect } from '../../dialect/index.js';
import { ServiceError } from '../../domain/errors.js';
import { beyondSchema } from '../../operations/semantic-validation.js';
import { operations, type OperationId } from '../../operations/table.js';
import { ScriptedResponse, type Context, type Input, type Success } from '../../operations/operation.js';
import { loadReader } from '../../scenario/run/library.js';
import type { SystemClock } from '../../time/system-clock.js';
import { checkJsonBody, hasBody, jsonBody, requireObject } from '../body.js';
import { type Call, pathOf, addOperations, type OpenApiDocument, type Operation } from '../operations.js';
import { type Guard, requireAccount } from '../guard.js';
import type { RejectedCalls } from '../rejected-calls.js';
import { errorResponse, sendJson } from '../respond.js';
import { bodySchema, unknownProperties } from '../validation/document-schema.js';
import { checkResponse, type CompiledOperations, requestValidator } from '../validation/request-validator.js';
import { ApiCall, preferHeader } from './api-call.js';
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
export function apiRouter(parts: ApiRouterParts, guard: Guard): Router {
  const { accounts, dialect, document, compiled, host, token } = parts;
  const send = responseSender(parts);
  const validate = requestValidator({ document, compiled, beyond: beyondSchema });
  const readJson = jsonBody();

  const authenticate: RequestHandler = (request: Call, _response, next) => {
    guard(request);
    const { headers } = request;
    const enter = () => {
      const account = requireAccount(accounts, headers.authorization, token);
      account.scheduler.touch(request.method !== 'GET');
      request.api = new ApiCall(account, request, host.monotonic(), accounts.notice(account.key));
    };
    // A key can name a scenario, and this header is a part of one.
    const names = headers[preferHeader] !== undefined || headers.authorization?.includes('~') === true;
    if (names)
      void loadReader()
        .then(enter)
        .then(() => next(), next);
    else {
      enter();
      next();
    }
  };

  const begin =
    (operation: Operation): RequestHandler =>
    (request: Call, response, next) => {
      request.operation = operation;
      request.api?.begin(request.headers[preferHeader]);
      // A body on an operation that takes none is ignored.
      if (operation.body !== 'none') checkJsonBody(request, operation.body);
      if (operation.body !== 'none' && hasBody(request)) void readJson(request, response, next);
      else next();
    };

  const warnOfUnknown = ({ warnings, query }: ApiCall, request: Call, operation: Operation): void => {
    const found = unknownProperties(document, bodySchema(document, operation, request.body), request.body).map(
      (name) => `Unknown property "${name}" was ignored.`,
    );
    for (const name of query === '' ? [] : Object.keys(request.query)) {
      found.push(`Unknown query parameter "${name}" was ignored.`);
    }
    if (found.length === 0) return;
    warnings.push(...found.slice(0, mostWarnings));
    if (found.length > mostWarnings) warnings.push(`${found.length - mostWarnings} more warnings were omitted.`);
  };

  const run = (operation: Operation): RequestHandler => {
    const { operationId: id, method } = operation;
    const entry = operations[id as OperationId] as
      { readonly run: (context: Context, input: Input) => object; readonly success: Success } | undefined;
    if (!entry) throw new Error(`no handler for ${id}`);
    const status = statusOf(entry.success, dialect);
    return (request: Call, response) => {
      const call = request.api as ApiCall;
      const { account } = call;
      warnOfUnknown(call, request, operation);
      if (method !== 'GET') {
        account.store.requireWritable();
        call.changes = true;
      }
      const input = { params: request.params as Record<string, string>, body: request.body as unknown };
      const body = transaction(account, () => {
        call.nowMs = account.clock.now();
        return entry.run(call, input);
      });
      if (status === 204) send(call, request, response, { status, headers: {} });
      else {
        checkResponse(compiled, id, status, body);
        send(call, request, response, { status, headers: {}, body });
      }
    };
  };

  const fail: ErrorRequestHandler = (error: unknown, request: Call, response, next) => {
    const { api: call } = request;
    if (!call) {
      reject(error, request, response, next);
    } else if (error instanceof ScriptedResponse) {
      const scripted = scriptedResponse(error.effect, null, request, dialect);
      call.error = scripted.code ?? null;
      send(call, request, response, scripted, error.effect);
    } else {
      const failure = errorResponse(error, dialect, parts.report);
      call.error = failure.code;
      send(call, request, response, failure);
    }
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
  router.use(authenticate);
  addOperations(router, document, '/v1', (operation) => [
    begin(operation),
    ...(operation.body === 'none' ? [] : [requireObject]),
    validate,
    run(operation),
  ]);
  router.use((request) => {
    throw new ServiceError('not_found', `The API has no path ${pathOf(request)}.`);
  });
  router.use(fail);
  return router;
}

function statusOf(success: Success, dialect: Dialect): number {
  if (success === 'created') return dialect.http.created;
  if (success === 'deleted') return 204;
  return 200;
}
