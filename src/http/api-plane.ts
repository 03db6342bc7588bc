/**
 * The API plane, `/v1`: each call passes these steps in the order of checks that the document promises:
 * key (401), path (404), method (405), media type (415), size (413), JSON and fields (400), operation.
 */
import { Router, type Request, type Response } from 'express';
import type { Accounts } from '../account/accounts.js';
import { perform } from '../account/account.js';
import type { Dialect } from '../dialect.js';
import { ServiceError } from '../domain/errors.js';
import { isOperationId, runOperation } from '../operations/table.js';
import type { Success } from '../operations/operation.js';
import type { HostTime } from '../time/host.js';
import { bearerKey, requireAccount } from './auth.js';
import { checkJsonBody, readJson, requireObject, UnreadableBody } from './body.js';
import { answerError } from './error-answer.js';
import { exchangeOf, openExchange, type Next, type Step } from './exchange.js';
import { journalCall } from './journal.js';
import { RouteTable, type OpenApiDocument } from './route-table.js';
import { unknownProperties } from './unknown-properties.js';
import { createValidator } from './validator.js';

export interface ApiPlaneParts {
  readonly accounts: Accounts;
  readonly dialect: Dialect;
  readonly document: OpenApiDocument;
  readonly host: HostTime;
  readonly version: string;
  readonly report: (error: unknown) => void;
}

export function apiPlane(parts: ApiPlaneParts): Router {
  const routes = new RouteTable(parts.document);
  const unknown = unknownProperties(parts.document);
  const router = Router();

  const begin: Step = (request, response, next) => {
    const key = bearerKey(request.headers.authorization);
    const { accounts } = parts;
    const account = key !== null && accounts.accepts(key) ? accounts.of(key) : accounts.default();
    account.scheduler.touch();
    openExchange(request, {
      id: account.ids.requestId(),
      account,
      atMs: account.clock.now(),
      startedMs: parts.host.monotonic(),
      warnings: [],
      route: null,
      explain: null,
      error: null,
    });
    response.json = (body: unknown) => send(request, response, response.statusCode, {}, body);
    next();
  };

  const authenticate: Step = (request, _response, next) => {
    requireAccount(parts.accounts, request.headers.authorization);
    next();
  };

  const route: Step = (request, _response, next) => {
    const [path = ''] = request.originalUrl.split('?', 1);
    const match = routes.match(request.method, path);
    if (match.kind === 'unknown') throw new ServiceError('not_found', `There is no ${path} in this API.`);
    if (match.kind === 'wrong-method') {
      const allow = match.allow.join(', ');
      throw new ServiceError('method_not_allowed', `${path} knows ${allow}, not ${request.method}.`, {
        headers: { Allow: allow },
      });
    }
    exchangeOf(request).route = match.route;
    next();
  };

  /** A body on an operation that takes none is nobody's business. */
  const readBody: Step = (request, response, next) => {
    const need = exchangeOf(request).route?.body ?? 'none';
    if (need === 'none') {
      next();
      return;
    }
    checkJsonBody(request, need);
    readJson(request, response, (error) => {
      if (error === undefined) requireObject(request, response, next);
      else next(error);
    });
  };

  const noteUnknown: Step = (request, _response, next) => {
    const exchange = exchangeOf(request);
    const id = exchange.route?.operationId ?? '';
    for (const name of unknown(id, request.body)) {
      exchange.warnings.push(`"${name}" is no property of this request; it was ignored.`);
    }
    for (const name of Object.keys(request.query)) {
      exchange.warnings.push(`"${name}" is no query parameter of this call; it was ignored.`);
    }
    next();
  };

  const run: Step = (request, response, next) => {
    const exchange = exchangeOf(request);
    const { account, route: matched, warnings } = exchange;
    if (!matched || !isOperationId(matched.operationId))
      throw new Error(`no handler for ${matched?.operationId ?? 'this call'}`);
    const id = matched.operationId;
    const { body, success } = perform(account, () =>
      runOperation(
        id,
        {
          account,
          nowMs: account.clock.now(),
          warn: (text) => warnings.push(text),
          explain: (explain) => (exchange.explain ??= explain),
        },
        { params: matched.params, body: request.body as unknown },
      ),
    );
    const status = statusOf(success, parts.dialect);
    const answer = () => {
      response.status(status);
      if (status === 204) send(request, response, status, {});
      else response.json(body);
    };
    const durable = account.store.answerable();
    if (durable === null) answer();
    else durable.then(answer).catch(next);
  };

  const fail = (error: unknown, request: Request, response: Response, _next: Next) => {
    const exchange = exchangeOf(request);
    const { code, status, headers, body } = answerError(error, request.body, parts.dialect, parts.report);
    exchange.error = code;
    if (error instanceof UnreadableBody) request.body = error.text;
    send(request, response, status, headers, body);
  };

  /** The one way out: the journal has the call before the caller has the answer. */
  function send(
    request: Request,
    response: Response,
    status: number,
    headers: Record<string, string>,
    body?: unknown,
  ): Response {
    const exchange = exchangeOf(request);
    const text = body === undefined ? '' : JSON.stringify(body);
    const sent: Record<string, string> = {
      ...headers,
      'X-Sandbox': parts.version,
      'X-Sandbox-Request': exchange.id,
      ...(body !== undefined && { 'Content-Type': 'application/json; charset=utf-8' }),
    };
    journalCall(exchange, request, { status, headers: sent, body }, parts.host.monotonic());
    if (body !== undefined) sent['Content-Length'] = String(Buffer.byteLength(text));
    response.writeHead(status, sent);
    response.end(text);
    return response;
  }

  router.use(begin, authenticate, route, readBody);
  router.use(...createValidator(parts.document), noteUnknown, run);
  router.use(fail);
  return router;
}

function statusOf(success: Success, dialect: Dialect): number {
  if (success === 'created') return dialect.http.created;
  if (success === 'deleted') return dialect.http.deleted;
  return 200;
}
