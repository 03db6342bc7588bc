/**
 * The control plane, `/_sandbox`: the sandbox's own calls, validated by their own document. They are never in a journal
 * and never have faults.
 */
import { Router, type RequestHandler, type Response } from 'express';
import type { Account } from '../../account/account.js';
import type { Accounts } from '../../account/registry.js';
import { ServiceError } from '../../domain/errors.js';
import { maxSnapshotBytes } from '../../domain/limits.js';
import type { Row } from '../../domain/rows.js';
import { operations as compiled } from '../../generated/control-validators.js';
import { checkJsonBody, hasBody, invalid, jsonBody, mediaTypeOf, requireJsonType, textBody } from '../body.js';
import { callerKey, type Guard, holdsToken, unauthorized } from '../guard.js';
import { type Call, pathOf, addOperations, type Operation } from '../operations.js';
import { jsonType } from '../respond.js';
import { judge, requestValidator } from '../validation/request-validator.js';
import { accounts } from './accounts.js';
import { clock } from './clock.js';
import { events } from './events.js';
import { listRows, type TableList } from './filters.js';
import { rowOf } from './given-values.js';
import {
  TextResponse,
  type ControlOperation,
  type ControlResponse,
  type ControlService,
  type ControlHandler,
  type ControlHandlers,
} from './handler.js';
import { info } from './info.js';
import * as lists from './lists.js';
import { customers, messages } from './messages.js';
import { reports } from './reports.js';
import { requests } from './requests.js';
import { rules } from './rules.js';
import { scenario } from './scenario.js';
import { show } from './show.js';
import { snapshots } from './snapshots.js';
import { templates } from './templates.js';
import { wait } from './wait.js';
import { certification, sink, webhooks } from './webhooks.js';

export interface ControlRouterParts {
  readonly service: ControlService;
  readonly token: string | null;
}

/** @param guard decides who may call */
export function controlRouter({ service, token }: ControlRouterParts, guard: Guard): Router {
  const document = service.documents.requests;
  const validate = requestValidator({ document, compiled, strictQuery: true });

  /** The operations that read, by path. */
  const reads = new Map<string, Operation>();

  const runner =
    (operation: Operation, entry: ControlOperation): RequestHandler =>
    async (request: Call, response) => {
      const { isHarmless = false } = entry;
      const account = accountOf(service.accounts, { request, operation, entry, token });
      const changes = operation.method !== 'GET' && !isHarmless;
      if (changes) account.store.requireWritable();
      account.scheduler.runDue();
      if (operation.method === 'GET') await account.store.timeNoted();
      const answer = await entry.run({
        account,
        name: nameIn(request),
        query: request.query,
        body: request.body as unknown,
        text: request.text,
        headers: request.headers,
        service,
        validateQuery: (path, query) =>
          judge(validate, { app: request.app, query: query as Call['query'], operation: reads.get(path) as Operation }),
      });
      if (changes) await account.store.answerable();
      send(response, answer);
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
    if (operation.method === 'GET') reads.set(operation.path, operation);
    const entry = typeof handler === 'function' ? { run: handler } : handler;
    return [bodyReader(operation, entry), validate, runner(operation, entry)];
  });
  router.use((request) => {
    throw new ServiceError(
      'not_found',
      `The control plane has no path ${pathOf(request)}. GET /_sandbox/openapi.json lists all of them.`,
    );
  });
  return router;
}

interface Caller {
  readonly request: Call;
  readonly operation: Operation;
  readonly entry: ControlOperation;
  readonly token: string | null;
}

/** A call that only reads or removes creates no account: without a key, or when there is no room for another one. */
function accountOf(accounts: Accounts, { request, operation: { method }, entry, token }: Caller): Account {
  const key = callerKey(accounts, request, token, 'act on');
  const isNamed = request.headers.authorization !== undefined;
  const reads = method === 'GET' && entry.lasts !== true;
  const removes = method === 'DELETE' || entry.removes === true;
  const isOther = entry.isOfOthers?.({ key, name: nameIn(request), query: request.query }) ?? false;
  const isView = isOther || (reads && !isNamed) || (accounts.isFull && (reads || removes));
  return isView ? accounts.view(key) : accounts.of(key);
}

/** No path has more than one parameter. */
function nameIn({ params }: Call): string {
  return String(Object.values(params)[0] ?? '');
}

function send(response: Response, answer: ControlResponse): void {
  if (answer === undefined) {
    response.writeHead(204).end();
    return;
  }
  const { status, contentType, text } =
    answer instanceof TextResponse ? answer : new TextResponse(JSON.stringify(answer), jsonType);
  response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

/** Levels of lists and objects in a snapshot. */
const deepestSnapshot = 100;

const readText = textBody();
const readJson = jsonBody();
const readSnapshot = jsonBody(maxSnapshotBytes, deepestSnapshot);

const yamlTypes = new Set(['application/yaml', 'text/yaml']);
/** The media type that clients use if they were written before the type was registered (RFC 9512). */
const olderTypes = new Set(['application/x-yaml', 'text/x-yaml', 'text/vnd.yaml']);

export function bodyReader(operation: Operation, { body }: Pick<ControlOperation, 'body'>): RequestHandler {
  const { method, body: need } = operation;
  if (body === 'text') {
    return (request: Call, response, next) => {
      request.operation = operation;
      if (need === 'required' && !hasBody(request)) throw invalid('The request has no body.');
      void readText(request, response, next);
    };
  }
  const read = body === 'snapshot' ? readSnapshot : readJson;
  const readsYaml = body === 'yaml';
  return (request: Call, response, next) => {
    request.operation = operation;
    const { headers } = request;
    const type = mediaTypeOf(request);
    if (readsYaml && olderTypes.has(type)) headers['content-type'] = 'application/yaml';
    if (readsYaml && (yamlTypes.has(type) || olderTypes.has(type))) {
      void readText(request, response, next);
      return;
    }
    // A form that a page of another origin sends without a preflight always has its own type, even if it is empty.
    const isTyped = method !== 'GET' && headers['content-type'] !== undefined;
    if (isTyped || (need !== 'none' && hasBody(request)))
      requireJsonType(request, readsYaml ? 'application/json or application/yaml' : undefined);
    if (need !== 'none') checkJsonBody(request, need);
    if (need !== 'none' && hasBody(request)) void read(request, response, next);
    else next();
  };
}

const rowsOf =
  <R extends Row>(list: TableList<R>): ControlHandler =>
  (context) =>
    listRows(list, context);

export const controlHandlers: ControlHandlers = {
  ...accounts,
  ...certification,
  ...clock,
  ...customers,
  ...events,
  ...info,
  ...messages,
  ...reports,
  ...requests,
  ...rules,
  ...scenario,
  ...sink,
  ...snapshots,
  ...templates,
  ...wait,
  ...webhooks,
  listCustomers: rowsOf(lists.customerList),
  listDeliveries: rowsOf(lists.deliveryList),
  listEndpoints: rowsOf(lists.endpointList),
  listEvents: rowsOf(lists.eventList),
  listJobs: rowsOf(lists.jobList),
  listMessages: rowsOf(lists.messageList),
  listOtps: rowsOf(lists.otpList),
  listRequests: rowsOf(lists.requestList),
  listRules: rowsOf(lists.ruleList),
  listStoredTemplates: rowsOf(lists.templateList),
  getDelivery: rowOf('deliveries', show.delivery),
  getEvent: rowOf('events', show.event),
  getOtp: rowOf('otps', show.otp),
  getRequest: rowOf('requests', show.request),
  getStoredTemplate: rowOf('templates', show.template),
};
