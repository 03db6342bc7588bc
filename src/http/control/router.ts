/**
 * The control plane, `/_sandbox`: the sandbox's own calls, validated by their own document. They are never in a journal
 * and never have faults.
 */
import pLimit from 'p-limit';
import { Router, type RequestHandler } from 'express';
import type { Account } from '../../account/account.js';
import type { Accounts } from '../../accounts/registry.js';
import { ServiceError } from '../../domain/errors.js';
import { isObject } from '../../domain/json.js';
import { maxSnapshotBytes } from '../../domain/limits.js';
import { operations as compiled } from '../../generated/control-validators.js';
import { loadReader } from '../../reader/library.js';
import { checkJsonBody, hasBody, invalid, jsonBody, mediaTypeOf, requireJsonType, textBody } from '../body.js';
import { callerKey, type Guard, holdsToken, unauthorized } from '../guard.js';
import { type Call, addOperations } from '../operations.js';
import type { Operation } from '../operation.js';
import { jsonType, sendText } from '../respond.js';
import { requestValidator, validateCall } from '../validation/request-validator.js';
import { accounts } from './accounts.js';
import { clock } from './clock.js';
import { events } from './events.js';
import type { ControlHandlers, ControlOperation, ControlService } from './handler.js';
import { info } from './info.js';
import { listHandlers } from './lists.js';
import { messages } from './messages.js';
import { reports } from './reports.js';
import { rules } from './rules.js';
import { scenario } from './scenario.js';
import { sink } from './sink.js';
import { snapshots } from './snapshots.js';
import { wait } from './wait.js';
import { webhooks } from './webhooks.js';

export const controlHandlers: ControlHandlers = {
  ...accounts,
  ...clock,
  ...events,
  ...info,
  ...listHandlers,
  ...messages,
  ...reports,
  ...rules,
  ...scenario,
  ...sink,
  ...snapshots,
  ...wait,
  ...webhooks,
};

export interface ControlRouterParts {
  readonly service: ControlService;
  readonly token: string | null;
}

export function controlRouter({ service, token }: ControlRouterParts, guard: Guard): Router {
  const document = service.documents.requests;
  const validate = requestValidator({ document, compiled });
  const operations = new Map<string, Operation>();

  const run =
    (operation: Operation, handler: ControlOperation): RequestHandler =>
    async (request: Call, response) => {
      if (namesScenario(request, operation)) await loadReader();
      const account = accountOf(service.accounts, request, handler, token);
      const changes = operation.method !== 'GET' && handler.isHarmless !== true;
      if (changes) account.store.requireWritable();
      account.scheduler.runDue();
      if (operation.method === 'GET') await account.store.timeNoted();
      const body = await handler.run({
        account,
        service,
        request,
        response,
        // No path has more than one parameter.
        name: String(Object.values(request.params)[0] ?? ''),
        query: request.query,
        body: request.body,
        validateQuery: (id, query) =>
          validateCall(validate, {
            app: request.app,
            query: query as Call['query'],
            operation: operations.get(id) as Operation,
          }),
      });
      if (changes) await account.store.answerable();
      if (!response.headersSent) response.setHeader('Date', new Date(account.clock.now()).toUTCString());
      if (body === undefined) response.status(204).end();
      else
        sendText(
          response,
          response.get('Content-Type') ?? jsonType,
          typeof body === 'string' ? body : JSON.stringify(body),
        );
    };

  const router = Router({ strict: true, caseSensitive: true });
  router.use((request, _response, next) => {
    guard(request);
    if (token !== null && !holdsToken(request, token))
      throw unauthorized('The control plane requires a token. Send it as X-Sandbox-Token.');
    next();
  });
  addOperations(router, document, '/_sandbox', (operation) => {
    const handler = controlHandlers[operation.operationId];
    if (!handler) throw new Error(`no handler for ${operation.operationId}`);
    operations.set(operation.operationId, operation);
    const entry = typeof handler === 'function' ? { run: handler } : handler;
    return [bodyReader(operation, entry.body), validate, run(operation, entry)];
  });
  router.use((request) => {
    throw new ServiceError(
      'not_found',
      `The control plane has no path ${request.path}. GET /_sandbox/openapi.json lists all of them.`,
    );
  });
  return router;
}

function accountOf(accounts: Accounts, request: Call, { creates }: ControlOperation, token: string | null): Account {
  const key = callerKey(accounts, request, token, 'act on');
  const isNamed = request.headers.authorization !== undefined;
  const usual = !['GET', 'HEAD', 'DELETE'].includes(request.method) ? 'always' : isNamed ? 'if there is room' : 'never';
  const rule = creates ?? usual;
  const isView = rule === 'never' || (rule === 'if there is room' && accounts.isFull);
  return isView ? accounts.view(key) : accounts.of(key);
}

/** Only for such a call is the reader of scenarios loaded, which takes time. */
function namesScenario(request: Call, { path }: Operation): boolean {
  const { scenario = null, to = '' } = isObject(request.body) ? request.body : {};
  const keys = [request.headers.authorization, ...Object.values(request.params), to].join(' ');
  return scenario !== null || /scenario|rules/.test(path) || keys.includes('~');
}

const readText = textBody();
const readJson = jsonBody();
const readSnapshot = jsonBody(maxSnapshotBytes);

/** Snapshots take memory, so one after another is read. */
const alone = pLimit(1);
const readAlone: RequestHandler = (request, response, next) => {
  const reading = () =>
    new Promise<void>((resolve) => {
      // Its client may have left while it waited.
      if (response.closed) resolve();
      else {
        response.once('close', () => resolve());
        void readSnapshot(request, response, next);
      }
    });
  alone(reading).catch(next);
};

/** Includes the types that clients use if they were written before it was registered (RFC 9512). */
const yamlType = /^(?:application|text)\/(?:x-|vnd\.)?yaml$/;

function bodyReader(operation: Operation, kind: ControlOperation['body']): RequestHandler {
  const { method, body: need } = operation;
  return (request: Call, response, next) => {
    request.operation = operation;
    const { headers } = request;
    if (kind === 'text' && need === 'required' && !hasBody(request)) throw invalid('The request has no body.');
    const isYaml = kind === 'yaml' && yamlType.test(mediaTypeOf(request));
    if (isYaml) headers['content-type'] = 'application/yaml';
    if (isYaml || kind === 'text') {
      void readText(request, response, next);
      return;
    }
    const isRead = need !== 'none' && hasBody(request);
    // A form that a page of another origin sends without a preflight always has its own type, even if it is empty.
    if (isRead || (method !== 'GET' && headers['content-type'] !== undefined))
      requireJsonType(request, kind === 'yaml' ? 'application/json or application/yaml' : undefined);
    if (need !== 'none') checkJsonBody(request, need);
    if (isRead && kind === 'snapshot') readAlone(request, response, next);
    else if (isRead) void readJson(request, response, next);
    else next();
  };
}
