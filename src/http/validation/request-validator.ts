/**
 * Validates calls against the documents. A call that the schemas compiled at build time accept is valid; express-openapi-validator
 * decides on all other calls, and rejects. A response that the compiled schemas do not accept is an error of the sandbox.
 */
import { createRequire } from 'node:module';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { type ErrorDetail, ServiceError } from '../../domain/errors.js';
import type { Call, OpenApiDocument } from '../operations.js';
import { type Operation, queryText } from '../operation.js';

interface Check {
  (value: unknown): boolean;
  readonly errors?: readonly { readonly instancePath: string; readonly keyword: string }[] | null;
}

export interface CompiledOperation {
  /** Turns the text of numbers into numbers and fills in defaults, in place. Null if it takes no query. */
  readonly query: Check | null;
  readonly params: Check;
  /** Keys are media types. */
  readonly bodies: Readonly<Record<string, Check>>;
  readonly responses: Readonly<Record<string, Check>>;
}

/** Keys are operationIds. */
export type CompiledOperations = Readonly<Record<string, CompiledOperation>>;

export interface ValidatorParts {
  readonly document: OpenApiDocument;
  readonly compiled: CompiledOperations;
  /** By operationId: errors of a body that its schema cannot express, to be listed with the others. */
  readonly beyond?: Readonly<Record<string, (body: unknown) => ErrorDetail[]>>;
  /** Gets the properties that a valid request has beside those that its document names, as dotted paths. */
  readonly tolerate?: (request: Call, properties: readonly string[]) => void;
}

export function requestValidator({ document, compiled, beyond = {}, tolerate }: ValidatorParts): RequestHandler {
  // Errors here reach `next` as well: Express waits for the promise.
  const judge = async (request: Call, response: Response): Promise<void> => {
    const { validate, isValidatorError, validationError, unknownProperties } = await theValidator(document);
    const error = await new Promise((resolve) => void validate(request, response, resolve));
    if (error === undefined) {
      tolerate?.(request, unknownProperties(document, request));
      return;
    }
    const { operationId } = request.operation as Operation;
    if (isValidatorError(error)) {
      throw validationError(error, document, request, beyond[operationId]?.(request.body) ?? []);
    }
    const { status, message } = error as Error & { readonly status?: unknown };
    if (status === 415) throw new ServiceError('unsupported_media_type', `The body has an ${message}.`);
    throw error as Error;
  };
  return (request: Call, response, next) => {
    const operation = request.operation as Operation;
    const check = compiled[operation.operationId];
    if (check && accepts(check, request, operation)) next();
    else judge(request, response).then(() => next(), next);
  };
}

/** As with the validator, `request.query` then has its numbers and defaults. */
function accepts({ bodies, params, query }: CompiledOperation, request: Call, operation: Operation): boolean {
  if (!bodyFits(bodies, request, operation) || !params(request.params)) return false;
  if (query === null) return queryText(request) === '';
  const given = { ...request.query };
  if (!query(given)) return false;
  // Express computes the query anew on each access, so the result is stored as the validator would store it.
  Object.defineProperty(request, 'query', { value: given, writable: true, configurable: true, enumerable: true });
  return true;
}

/** Accepts exactly the media types in the document, also with UTF-8; anything else is left to the validator. */
function bodyFits(bodies: CompiledOperation['bodies'], { body, headers }: Call, operation: Operation): boolean {
  if (operation.body === 'none') return true;
  const type = headers['content-type'];
  if (body === undefined) return operation.body === 'optional' && type === undefined;
  const check = bodies[type?.toLowerCase().replace(/ *; *charset="?utf-?8"? *$/, '') ?? ''] ?? bodies['*/*'];
  return check?.(body) ?? false;
}

export function checkResponse(compiled: CompiledOperations, operationId: string, status: number, body: unknown): void {
  const check = compiled[operationId]?.responses[status];
  if (!check || check(body)) return;
  const [first] = check.errors ?? [];
  const place = first === undefined ? '' : ` at "${first.instancePath}" (${first.keyword})`;
  throw new ServiceError(
    'internal_error',
    `The response of the sandbox to ${operationId} does not match its OpenAPI document${place}. This is a bug of the sandbox; please report it.`,
  );
}

// All sandboxes of a process share one: it takes longer to build than a sandbox to start.
let validator: ReturnType<typeof createValidator> | null = null;
type Validator = Awaited<ReturnType<typeof createValidator>>;

function theValidator(document: OpenApiDocument): Promise<Validator> {
  return (validator ??= createValidator(document));
}

/** The validator and its words, which are loaded with it: a start needs neither. */
async function createValidator(document: OpenApiDocument) {
  skipMetaSchema();
  const { middleware } = await import('express-openapi-validator');
  const { isValidatorError, validationError } = await import('./validation-error.js');
  const { unknownProperties } = await import('./document-schema.js');
  const validate = Router();
  validate.use(
    ...middleware({
      // The validator changes its document.
      apiSpec: structuredClone(document) as never,
      validateApiSpec: false,
      validateSecurity: false,
      validateRequests: { allErrors: true, coerceTypes: false, allowUnknownQueryParameters: false },
      validateResponses: false,
      fileUploader: false,
      ignoreUndocumented: true,
    }),
  );
  return { validate, isValidatorError, validationError, unknownProperties };
}

/**
 * Even with `validateApiSpec: false`, the validator compiles the schema of OpenAPI itself, which takes longer than all
 * of its other work. The build and the tests have validated the documents.
 */
function skipMetaSchema(): void {
  const path = 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
  const inside = createRequire(import.meta.url)(path) as { OpenAPISchemaValidator: unknown };
  inside.OpenAPISchemaValidator = class {
    validate() {
      return { errors: [] };
    }
  };
}

export function validateCall(validate: RequestHandler, call: Partial<Call> & Pick<Call, 'app'>): Promise<void> {
  const { method = '', path = '' } = call.operation ?? {};
  const target = { method, url: path, originalUrl: path, baseUrl: '', path };
  const request = { ...target, headers: {}, query: {}, params: {}, ...call } as Call;
  return new Promise((resolve, reject) => {
    void validate(request, {} as Response, (error?: Error | string) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
}

/**
 * Builds the validator before the first call that it rejects, so that this call takes no longer than others. Calls are
 * handled between the parts of this work, for each of which it awaits `nextTurn`.
 */
export async function warmValidator(
  document: OpenApiDocument,
  app: Request['app'],
  nextTurn: () => Promise<void>,
): Promise<void> {
  skipMetaSchema();
  await nextTurn();
  await import('express-openapi-validator');
  await nextTurn();
  const validate = requestValidator({ document, compiled: {} });
  const headers = { 'content-type': 'application/json' };
  const paths = Object.keys(document.paths).filter((path) => path.startsWith('/v1/') && document.paths[path]?.['post']);
  for (const body of [{}, { to: 5, name: 5, url: 5, code: 5 }]) {
    for (const path of paths) {
      const operation: Operation = { operationId: '', method: 'POST', path, body: 'required', otherMethods: [] };
      await validateCall(validate, { app, operation, headers, body }).catch(() => null);
      await nextTurn();
    }
  }
}
