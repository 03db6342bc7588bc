/**
 * The API plane, `/v1`: each call passes these steps in the order of checks that the document promises:
 * key (401), path (404), method (405), media type (415), size (413), JSON and fields (400), operation.
 */
import type { ServerResponse } from 'node:http';
import type { Accounts } from '../../accounts/registry.js';
import { perform, type Account } from '../../account/account.js';
import type { Dialect } from '../../dialect/index.js';
import { ServiceError } from '../../domain/errors.js';
import { beyondSchema } from '../../operations/semantic-validation.js';
import { isOperationId, runOperation } from '../../operations/table.js';
import type { Success } from '../../operations/operation.js';
import { ScriptedAnswer } from '../../operations/scripted-answer.js';
import type { SystemClock } from '../../time/system-clock.js';
import type { AppSide } from '../app-side.js';
import { bearerKey, requireAccount } from './auth.js';
import { checkJsonBody, readJson, requireObject, UnreadableBody } from './body.js';
import type { CompiledOperations } from '../validation/compiled-operation.js';
import { answerError } from './error-response.js';
import { exchangeOf, hasExchange, openExchange, type Call, type Next, type Step } from './request-context.js';
import { parseQuery, pathOf, queryText } from './query.js';
import { runSteps } from './middleware.js';
import { RouteTable, type OpenApiDocument } from './route-table.js';
import { admit, decide, note, obey, preferHeader, readPrefer } from './scenario-decision.js';
import { scriptedAnswer } from './scenario-response.js';
import { answerSender } from './send-response.js';
import { unknownProperties } from '../validation/unknown-properties.js';
import { Judge } from '../validation/openapi-validator.js';

export interface ApiPlaneParts {
  readonly accounts: Accounts;
  readonly dialect: Dialect;
  readonly document: OpenApiDocument;
  readonly compiled: CompiledOperations;
  readonly host: SystemClock;
  readonly version: string;
  readonly report: (error: unknown) => void;
}

export function apiPlane(parts: ApiPlaneParts, { guard, asExpress }: AppSide): Step {
  const routes = new RouteTable(parts.document);
  const unknown = unknownProperties(parts.document);
  const send = answerSender(parts);
  const judge = new Judge({
    ...parts,
    beyond: beyondSchema,
    asExpress,
    routeOf: (request) => exchangeOf(request).route,
  });

  const begin: Step = (request, _response, next) => {
    const key = bearerKey(request.headers.authorization);
    const { accounts } = parts;
    const account = key !== null && accounts.accepts(key) ? accounts.of(key) : accounts.default();
    account.scheduler.touch();
    stand(request, account);
    next();
  };

  /** From here on the call has a number, and will stand in that account's journal. */
  const stand = (request: Call, account: Account): void => {
    const notice = parts.accounts.notice(account.key);
    openExchange(request, {
      id: account.ids.requestId(),
      account,
      atMs: account.clock.now(),
      startedMs: parts.host.monotonic(),
      warnings: notice === undefined ? [] : [notice],
      path: pathOf(request.originalUrl),
      query: queryText(request.originalUrl),
      route: null,
      explain: null,
      error: null,
      prefer: null,
      rule: null,
      fault: null,
      respond: null,
      heldMs: 0,
      faultReal: undefined,
      changes: false,
    });
  };

  const authenticate: Step = (request, _response, next) => {
    requireAccount(parts.accounts, request.headers.authorization);
    next();
  };

  const route: Step = (request, _response, next) => {
    const exchange = exchangeOf(request);
    const { account, path } = exchange;
    const match = routes.match(request.method, path);
    if (match.kind === 'unknown') throw new ServiceError('not_found', `There is no ${path} in this API.`);
    if (match.kind === 'wrong-method') {
      const allow = match.allow.join(', ');
      throw new ServiceError('method_not_allowed', `${path} knows ${allow}, not ${request.method}.`, {
        headers: { Allow: allow },
      });
    }
    exchange.route = match.route;
    exchange.prefer = readPrefer(request.headers[preferHeader]);
    if (exchange.prefer !== null || account.script.hasRulesAt('api.any'))
      perform(account, () => obey(exchange)(decide(exchange, 'api.any', { method: request.method, path })));
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
    for (const name of exchange.query === '' ? [] : Object.keys(parseQuery(exchange.query))) {
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
    if (matched.method !== 'GET') {
      account.store.requireWritable();
      exchange.changes = true;
    }
    const { body, success } = perform(account, () =>
      runOperation(
        id,
        {
          account,
          nowMs: account.clock.now(),
          warn: (text) => void warnings.push(text),
          explain: (explain) => void (exchange.explain ??= explain),
          credit: (explain) => note(exchange, explain),
          decide: (hook, facts) => decide(exchange, hook, facts),
          obey: obey(exchange),
          admit: admit(exchange),
        },
        { params: matched.params, body: request.body },
      ),
    );
    const status = statusOf(success, parts.dialect);
    response.statusCode = status;
    if (status === 204) send(request, response, { status, headers: {} });
    else
      judge.answer(
        request,
        response,
        body,
        (judged) => send(request, response, { status, headers: {}, body: judged }),
        next,
      );
  };

  const fail = (error: unknown, request: Call, response: ServerResponse, next: Next) => {
    if (!hasExchange(request)) {
      try {
        // Refused before it had an account: by the guard, or since there are as many accounts as there may be.
        stand(request, parts.accounts.default());
      } catch {
        next(error);
        return;
      }
    }
    const exchange = exchangeOf(request);
    if (error instanceof ScriptedAnswer) {
      exchange.heldMs = error.effect.latencyRealMs ?? 0;
      exchange.faultReal = error.effect.faultReal;
      const answer = scriptedAnswer(error.effect, null, exchange, parts.dialect);
      exchange.error = answer.code ?? null;
      send(request, response, answer);
      return;
    }
    const answer = answerError(error, parts.dialect, parts.report);
    exchange.error = answer.code;
    if (error instanceof UnreadableBody) request.body = error.text;
    send(request, response, answer);
  };

  const steps = [guard, begin, authenticate, route, readBody, judge.request, noteUnknown, run];
  return (request, response, next) => {
    runSteps(steps, request, response, (error) => fail(error, request, response, next));
  };
}

function statusOf(success: Success, dialect: Dialect): number {
  if (success === 'created') return dialect.http.created;
  if (success === 'deleted') return dialect.http.deleted;
  return 200;
}
