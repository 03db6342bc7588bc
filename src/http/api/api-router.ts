/**
 * The API plane, `/v1`. Each call passes these checks, in the documented order: key (401), path (404), method (405),
 * media type (415), size (413), JSON and fields (400). Then its operation runs.
 */
import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Accounts } from '../../accounts/registry.js';
import { ServiceError } from '../../domain/errors.js';
import { beyondSchema } from '../../operations/semantic-validation.js';
import { operations, type OperationId } from '../../operations/table.js';
import type { AccountCall } from '../../account/call.js';
import type { Input, Success } from '../../operations/operation.js';
import { loadReader } from '../../reader/library.js';
import { baseUrlHint } from '../base-url.js';
import { readObject } from '../body.js';
import { type Call, addOperations, type OpenApiDocument } from '../operations.js';
import type { Operation } from '../operation.js';
import { type Guard, requireAccount } from '../guard.js';
import type { RejectedCalls } from '../rejected-calls.js';
import { errorResponse, sendJson } from '../respond.js';
import { checkResponse, type CompiledOperations, requestValidator } from '../validation/request-validator.js';
import { Reply, type ReplyParts } from './reply.js';
import { preferHeader } from './scenario-response.js';

export interface ApiRouterParts extends ReplyParts {
  readonly accounts: Accounts;
  readonly document: OpenApiDocument;
  readonly compiled: CompiledOperations;
  readonly token: string | null;
  readonly rejected: RejectedCalls;
  readonly createdStatus: number;
}

const same = (body: unknown): unknown => body;

const mostWarnings = 100;

export function apiRouter(parts: ApiRouterParts, guard: Guard): Router {
  const { accounts, wire, document, compiled, token } = parts;

  const enter: RequestHandler = (request: Call, response, next) => {
    const { headers, refusal } = request;
    guard(request);
    const begin = () => {
      const account = requireAccount(accounts, headers.authorization, token);
      request.reply = new Reply(account, request, response, parts);
      if (refusal) throw refusal;
    };
    // A key can name a scenario, and this header is a part of one.
    if (headers[preferHeader] === undefined && headers.authorization?.includes('~') !== true) {
      begin();
      next();
    } else
      void loadReader()
        .then(begin)
        .then(() => next(), next);
  };

  const begin =
    (operation: Operation): RequestHandler =>
    (request: Call, response, next) => {
      request.operation = operation;
      request.reply?.begin();
      // A body on an operation that takes none is ignored.
      if (operation.body === 'none') next();
      else readObject(request, response, next);
    };

  const run = (operation: Operation): RequestHandler => {
    const { operationId: id, method } = operation;
    const entry = operations[id as OperationId] as
      | { readonly run: (call: AccountCall, input: Input) => object; readonly success: Success }
      | undefined;
    if (!entry) throw new Error(`no handler for ${id}`);
    const status = { ok: 200, created: parts.createdStatus, deleted: wire.deleted.status }[entry.success];
    const shape = entry.success === 'deleted' ? wire.deleted.body : (wire.success[id] ?? same);
    const hasBody = shape !== null && status !== 204;
    return (request: Call) => {
      const reply = request.reply as Reply;
      if (method !== 'GET') {
        reply.account.store.requireWritable();
        reply.changes = true;
      }
      const input = { params: request.params as Record<string, string>, body: request.body as unknown };
      reply.run((call) => {
        const result = entry.run(call, input);
        if (!hasBody) return { status, headers: {} };
        const body = shape(result as Readonly<Record<string, unknown>>);
        checkResponse(compiled, id, status, body);
        return { status, headers: {}, text: JSON.stringify(body) };
      });
    };
  };

  const fail: ErrorRequestHandler = (thrown: unknown, request: Call, response, next) => {
    const error = request.refusal ?? thrown;
    // The body of a call that was refused while it was read ends with its connection.
    if (request.reply && response.headersSent) return;
    if (request.reply) request.reply.fail(error);
    else if (!(error instanceof ServiceError)) next(error);
    else {
      // Without an account, there is no journal: it is listed with the rejected calls.
      const { status, headers, body } = errorResponse(error, wire, parts.report);
      const { id } = parts.rejected.add(request, status, error, body);
      sendJson(response, status, { ...headers, 'X-Sandbox': parts.version, 'X-Sandbox-Request': id }, body);
    }
  };

  const router = Router({ strict: true, caseSensitive: true });
  router.use(enter);
  const validate = requestValidator({ document, compiled, beyond: beyondSchema, tolerate: warnOfUnknown });
  addOperations(router, document, '/v1', (operation) => [begin(operation), validate, run(operation)]);
  router.use((request) => {
    throw new ServiceError('not_found', `The API has no path ${request.path}.${baseUrlHint(request.originalUrl)}`);
  });
  router.use(fail);
  return router;
}

function warnOfUnknown({ reply, query }: Call, properties: readonly string[]): void {
  const found = [
    ...properties.map((name) => `Unknown property "${name}" was ignored.`),
    ...Object.keys(query).map((name) => `Unknown query parameter "${name}" was ignored.`),
  ];
  reply?.call.warnings.push(...found.slice(0, mostWarnings));
  if (found.length > mostWarnings)
    reply?.call.warnings.push(`${found.length - mostWarnings} more warnings were omitted.`);
}
