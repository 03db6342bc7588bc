/**
 * The control plane, `/_sandbox`: the sandbox's own calls, validated by their own document. They are never in a journal
 * and never have faults.
 */
import type { ServerResponse } from 'node:http';
import { defaultDialect } from '../../dialect/index.js';
import type { Account } from '../../account/account.js';
import type { Accounts } from '../../accounts/registry.js';
import { callerKey, tokenGuard } from '../guard.js';
import { jsonType, sendError } from '../respond.js';
import { type Call, type Middleware, operationOf, pathOf } from '../api/request-context.js';
import { runMiddleware } from '../api/request-listener.js';
import { type OperationRoute, RouteTable } from '../api/route-table.js';
import type { TransferBudget } from '../transfer-budget.js';
import { type CompiledOperations, requestValidator } from '../validation/openapi-validator.js';
import {
  StreamResponse,
  TextResponse,
  type ControlResponse,
  type ControlHandlers,
  type ControlService,
} from './handler.js';
import { bodyReaders, readerOf } from './read-body.js';

export interface ControlRouterParts {
  readonly service: ControlService;
  readonly handlers: ControlHandlers;
  readonly compiled: CompiledOperations;
  readonly token: string | null;
  readonly transfers: TransferBudget;
  readonly report: (error: unknown) => void;
}

interface ControlCall extends Call {
  /** The values after validation: numbers are numbers. */
  readonly query?: Readonly<Record<string, unknown>>;
}

/** The POST operation that removes. */
const reset = 'resetAccount';

/**
 * Operations that change nothing although they are not a GET, or that free space: they are also allowed on a full disk.
 */
const harmless = new Set([
  'waitForIdle',
  'checkScenario',
  'saveScenario',
  'putExplorationReport',
  'certifyEndpoint',
  'dropAccount',
  'deleteSnapshot',
]);

/** Operations that name the accounts they are about, so that the caller's own need not exist. */
const ofOthers = new Set(['listAccounts', 'dropAccount']);
/** A GET that lasts: its account must exist, because what it waits for happens there. */
const lasting = 'waitForMatch';

/** A call that only reads or removes creates no account: without a key, or when there is no room for another one. */
function accountOf(
  accounts: Accounts,
  key: string,
  {
    operation: { operationId, method, params },
    isNamed,
    query,
  }: { operation: OperationRoute; isNamed: boolean; query: Readonly<Record<string, unknown>> },
): Account {
  const reads = method === 'GET' && operationId !== lasting;
  const removes = method === 'DELETE' || operationId === reset;
  const isOther =
    ofOthers.has(operationId) ||
    (operationId === 'forkAccount' && params['key'] !== key) ||
    (operationId === 'getVerdict' && query['accounts'] !== undefined);
  const isView = isOther || (!isNamed && (reads || (removes && accounts.isFull)));
  return isView ? accounts.view(key) : accounts.of(key);
}

/**
 * @param guard decides who may call
 * @param asExpress see `ValidatorParts`
 */
export function controlRouter(
  { service, handlers, compiled, token, transfers, report }: ControlRouterParts,
  guard: Middleware,
  asExpress: (request: Call, response: ServerResponse) => void,
): Middleware {
  const document = service.documents.control;
  const routes = new RouteTable(document);
  const readers = bodyReaders(transfers);
  const validate = requestValidator({ document, compiled, strictQuery: true, asExpress });

  const route: Middleware = (request, _response, next) => {
    const path = pathOf(request.originalUrl);
    const unknown = `The control plane has no path ${path}. GET /_sandbox/openapi.json lists all of them.`;
    request.operation = routes.find(request.method, path, unknown);
    next();
  };

  const readBody: Middleware = (request, response, next) => {
    readerOf(operationOf(request), readers)(request, response, next);
  };

  const run: Middleware = (request: ControlCall, response, next) => {
    const operation = operationOf(request);
    const handler = handlers[operation.operationId];
    if (!handler) throw new Error(`no handler for ${operation.operationId}`);
    const changes = operation.method !== 'GET' && !harmless.has(operation.operationId);
    const account = accountOf(service.accounts, callerKey(service.accounts, request, token, 'act on'), {
      operation,
      isNamed: request.headers.authorization !== undefined,
      query: request.query ?? {},
    });
    if (changes) account.store.requireWritable();
    account.scheduler.runDue();
    const answered = async () => {
      if (operation.method === 'GET') {
        await account.store.timeNoted();
        // The response may be large, so the call waits until there is room for it; its client may have gone by then.
        await transfers.room();
        if (response.destroyed) return undefined;
      }
      const answer = await handler({
        account,
        name: Object.values(operation.params)[0] ?? '',
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

  const all = [guard, tokenGuard(token), route, readBody, validate, run];
  return (request: ControlCall, response) => {
    runMiddleware(all, request, response, (error) => {
      sendError(response, error, { dialect: defaultDialect, report });
    });
  };
}

function send(response: ServerResponse, answer: ControlResponse, transfers: TransferBudget): void {
  if (answer === undefined) {
    response.writeHead(204).end();
    return;
  }
  if (answer instanceof StreamResponse) {
    response.writeHead(200, { 'Content-Type': jsonType });
    transfers.stream(response, answer.slices);
    return;
  }
  const { status, contentType, text } =
    answer instanceof TextResponse ? answer : new TextResponse(JSON.stringify(answer), jsonType);
  const body = Buffer.from(text);
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': body.length });
  transfers.send(response, body);
}
