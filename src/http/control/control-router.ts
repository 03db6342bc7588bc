/**
 * The control plane, `/_sandbox`: the sandbox's own calls, validated by their own document. They are never in a journal
 * and never have faults.
 */
import { Router, type RequestHandler, type Response } from 'express';
import type { Account } from '../../account/account.js';
import type { Accounts } from '../../account/registry.js';
import { ServiceError } from '../../domain/errors.js';
import { operations as compiled } from '../../generated/control-validators.js';
import { type Call, pathOf } from '../call.js';
import { callerKey, type Guard, holdsToken, unauthorized } from '../guard.js';
import { addOperations, type Operation } from '../operations.js';
import { jsonType } from '../respond.js';
import { asCall, requestValidator } from '../validation/request-validator.js';
import {
  TextResponse,
  type ControlContext,
  type ControlOperation,
  type ControlResponse,
  type ControlService,
} from './handler.js';
import { bodyReader } from './read-body.js';
import { controlHandlers } from './table.js';

export interface ControlRouterParts {
  readonly service: ControlService;
  readonly token: string | null;
}

/** @param guard decides who may call */
export function controlRouter({ service, token }: ControlRouterParts, guard: Guard): Router {
  const document = service.documents.requests;
  const validate = requestValidator({ document, compiled, strictQuery: true });

  const reads = new Map<string, Operation>();

  const validateQuery = (app: Call['app']) => (path: string, query: ControlContext['query']) =>
    new Promise<void>((resolve, reject) => {
      const operation = reads.get(path);
      const call = { ...asCall(app, 'GET', path), query, ...(operation && { operation }) } as Call;
      void validate(call, {} as Response, (error?: Error | string) => {
        if (error instanceof Error) reject(error);
        else resolve();
      });
    });

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
        validateQuery: validateQuery(request.app),
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
