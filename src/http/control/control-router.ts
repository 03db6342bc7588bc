/**
 * The control plane, `/_sandbox`: the sandbox's own calls, validated by their own document, never in a journal and never
 * subject to faults.
 */
import type { ServerResponse } from 'node:http';
import { defaultKey } from '../../accounts/registry.js';
import { defaultDialect } from '../../dialect/index.js';
import { ServiceError } from '../../domain/errors.js';
import { bearerKey, isToken, notAccepted, unauthorized } from '../api/auth.js';
import { bodyReaders } from '../api/body.js';
import { answerError } from '../api/error-response.js';
import { type Call, type Middleware, runMiddleware } from '../api/request-context.js';
import { pathOf } from '../api/query.js';
import { RouteTable, type OperationRoute } from '../api/route-table.js';
import { tokenGuard } from '../guard.js';
import { jsonType, sendJson } from '../send-text.js';
import type { TransferBudget } from '../transfer-budget.js';
import type { CompiledOperations } from '../validation/compiled-schemas.js';
import { Judge } from '../validation/openapi-validator.js';
import { StatusAnswer, TextAnswer, type ControlAnswer, type ControlHandlers, type ControlService } from './handler.js';
import { readerOf } from './read-body.js';

export interface ControlRouterParts {
  readonly service: ControlService;
  readonly handlers: ControlHandlers;
  readonly compiled: CompiledOperations;
  readonly token: string | null;
  readonly transfers: TransferBudget;
  readonly report: (error: unknown) => void;
}

interface ControlCall extends Call {
  route?: OperationRoute;
  /** As the validator left it: numbers are numbers. */
  readonly query?: Readonly<Record<string, unknown>>;
}

/** The operation that frees memory although it is a POST. */
const freesMemory = 'resetAccount';

/** Changes nothing although it is not a GET, or makes room: allowed on a full disk too. */
const harmless = new Set(['waitForIdle', 'checkScenario', 'dropAccount', 'deleteSnapshot']);

/** @param guard who may call at all. @param asExpress see `JudgeParts` */
export function controlRouter(
  { service, handlers, compiled, token, transfers, report }: ControlRouterParts,
  guard: Middleware,
  asExpress: (request: Call, response: ServerResponse) => void,
): Middleware {
  const document = service.documents.control;
  const routes = new RouteTable(document);
  const readers = bodyReaders(transfers);
  const routeOf = (request: ControlCall) => request.route ?? null;
  const judge = new Judge({ document, compiled, strictQuery: true, asExpress, routeOf });

  const route: Middleware = (request: ControlCall, _response, next) => {
    const path = pathOf(request.originalUrl);
    const match = routes.match(request.method, path);
    if (match.kind === 'unknown') {
      const message = `The control plane has no path ${path}. GET /_sandbox/openapi.json lists all of them.`;
      throw new ServiceError('not_found', message);
    }
    if (match.kind === 'wrong-method') {
      const allow = match.allow.join(', ');
      throw new ServiceError('method_not_allowed', `${path} knows ${allow}, not ${request.method}.`, {
        headers: { Allow: allow },
      });
    }
    request.route = match.route;
    next();
  };

  const readBody: Middleware = (request: ControlCall, response, next) => {
    if (request.route) readerOf(request.route, readers)(request, response, next);
  };

  const run: Middleware = (request: ControlCall, response, next) => {
    const { route: operation } = request;
    const handler =
      operation && Object.hasOwn(handlers, operation.operationId) ? handlers[operation.operationId] : undefined;
    if (!operation || !handler) throw new Error(`no handler for ${operation?.operationId ?? request.originalUrl}`);
    const account = service.accounts.of(callerKey(service, request, token));
    const changes = operation.method !== 'GET' && !harmless.has(operation.operationId);
    if (changes) account.store.requireWritable();
    if (changes && operation.method !== 'DELETE' && operation.operationId !== freesMemory)
      account.store.requireMemory();
    account.scheduler.runDue();
    const answered = async () => {
      // A read may answer with much. It waits until there is room for that.
      if (operation.method === 'GET') await transfers.room();
      const answer = await handler({
        account,
        params: operation.params,
        query: request.query ?? {},
        body: request.body,
        text: request.text,
        headers: request.headers,
        service,
      });
      if (changes) await account.store.answerable();
      return answer;
    };
    answered()
      .then((answer) => send(response, answer, transfers))
      .catch(next);
  };

  const fail = (error: unknown, response: ServerResponse): void => {
    const { status, headers, body } = answerError(error, defaultDialect, report);
    sendJson(response, status, headers, body);
  };

  const all = [guard, tokenGuard(token), route, readBody, judge.request, run];
  return (request, response) => {
    runMiddleware(all, request, response, (error) => fail(error, response));
  };
}

function send(response: ServerResponse, answer: ControlAnswer, transfers: TransferBudget): void {
  if (answer === undefined) {
    response.writeHead(204).end();
    return;
  }
  const [status, type, text] =
    answer instanceof TextAnswer
      ? [200, answer.contentType, answer.text]
      : answer instanceof StatusAnswer
        ? [answer.status, jsonType, JSON.stringify(answer.body)]
        : [200, jsonType, JSON.stringify(answer)];
  const body = Buffer.from(text);
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': body.length });
  transfers.send(response, body);
}

/** Returns the default account's key for a call without an Authorization header, or with the control token as its key. */
function callerKey({ accounts }: ControlService, request: Call, token: string | null): string {
  const { authorization } = request.headers;
  if (authorization === undefined) return defaultKey;
  const key = bearerKey(authorization);
  if (key === null)
    throw unauthorized('The Authorization header has no Bearer key; leave it out to act on the default account.');
  if (token !== null && isToken(key, token)) return defaultKey;
  if (!accounts.accepts(key)) throw notAccepted(key);
  return key;
}
