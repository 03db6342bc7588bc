/**
 * Validates calls against the document of their plane. A call that the compiled schemas accept is valid;
 * express-openapi-validator decides on all others, and is loaded for the first of them (docs/decisions.md). A response
 * that the compiled schemas do not accept is an error of the sandbox.
 */
import type { ServerResponse } from 'node:http';
import { type ErrorDetail, ServiceError } from '../../domain/errors.js';
import { type Call, type Middleware, type Next, operationOf, parseQuery, queryText } from '../api/request-context.js';
import { runMiddleware } from '../api/request-listener.js';
import type { OpenApiDocument, OperationRoute } from '../api/route-table.js';
import { rejectionDocument, validatorDocument } from './rejection-document.js';
import { isValidatorError, validationError } from './validation-error.js';

export interface ValidatorParts {
  readonly document: OpenApiDocument;
  readonly compiled: CompiledOperations;
  /** Gives a call that did not pass Express's router the properties that Express sets: the validator needs them. */
  readonly asExpress: (request: Call, response: ServerResponse) => void;
  /** Whether query parameters that the document does not name are rejected; default: false. */
  readonly strictQuery?: boolean;
  /** By operationId: errors of a body that its schema cannot express, to be listed with the others. */
  readonly beyond?: Readonly<Record<string, (body: unknown) => ErrorDetail[]>>;
}

/** Passes a valid request on; for an invalid one, `next` gets the validator's errors in our words. */
export function requestValidator(parts: ValidatorParts): Middleware {
  const { compiled, asExpress, strictQuery = false, beyond = {} } = parts;
  // Created with the first call that the compiled schemas do not accept.
  let document: OpenApiDocument | null = null;
  let validator: Promise<readonly Middleware[]> | null = null;
  return (request, response, next) => {
    const route = operationOf(request);
    const check = compiled[route.operationId];
    if (check && fits(check, request, route, strictQuery)) {
      next();
      return;
    }
    const rejecting = (document ??= rejectionDocument(parts.document));
    const judged: Next = (error) => {
      if (!isValidatorError(error)) {
        next(error);
        return;
      }
      const { body, query = {} } = request as Call & { query?: Record<string, unknown> };
      const further = beyond[route.operationId]?.(body) ?? [];
      next(validationError(error, { document: rejecting, route, body, query, further }));
    };
    asExpress(request, response);
    validator ??= createValidator(rejecting, strictQuery);
    validator.then((steps) => runMiddleware(steps, request, response, judged)).catch(next);
  };
}

/** @param document a `rejectionDocument` */
export async function createValidator(document: OpenApiDocument, strictQuery: boolean): Promise<Middleware[]> {
  const { middleware } = await import('./validator.js');
  return middleware({
    apiSpec: validatorDocument(document) as never,
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: {
      allErrors: true,
      coerceTypes: false,
      allowUnknownQueryParameters: !strictQuery,
    },
    validateResponses: false,
    fileUploader: false,
    ignoreUndocumented: true,
  }) as Middleware[];
}

/** The schemas of an operation as functions, compiled when the package is built (scripts/compile-validators.ts). */
interface Check {
  (value: unknown): boolean;
  /** The errors of the last value. */
  readonly errors?: readonly { readonly instancePath: string; readonly keyword: string }[] | null;
}

export interface CompiledOperation {
  /** The query parameters that the document names. */
  readonly names: readonly string[];
  /** Turns the text of numbers into numbers and fills in defaults, in place. */
  readonly query: Check;
  readonly params: Check;
  /** By media type. */
  readonly bodies: Readonly<Record<string, Check>>;
  /** The schemas of JSON responses, by status. */
  readonly responses: Readonly<Record<string, Check>>;
}

export type CompiledOperations = Readonly<Record<string, CompiledOperation>>;

/** @throws ServiceError `internal_error` if the response violates the document, which is an error of the sandbox */
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

/**
 * Whether a request is certainly valid. As with the validator, `request.query` then has its numbers and defaults.
 * @param strictQuery whether query parameters that the document does not name are rejected
 */
export function fits(compiled: CompiledOperation, request: Call, route: OperationRoute, strictQuery: boolean): boolean {
  return (
    bodyFits(compiled, request, route) &&
    compiled.params(route.params) &&
    (compiled.names.length > 0 || strictQuery ? queryFits(compiled, request, strictQuery) : true)
  );
}

function bodyFits({ bodies }: CompiledOperation, request: Call, route: OperationRoute): boolean {
  if (route.body === 'none') return true;
  const { body } = request;
  const type = request.headers['content-type'];
  if (body === undefined) return route.body === 'optional' && type === undefined;
  const check = bodies[mediaType(type)] ?? bodies['*/*'];
  return check?.(body) ?? false;
}

/** Accepts exactly the media types in the document, also with UTF-8; anything else is left to the validator. */
function mediaType(header: string | undefined): string {
  if (header === undefined) return '';
  if (header === 'application/json') return header;
  return header.toLowerCase().replace(/ *; *charset="?utf-?8"? *$/, '');
}

/** Characters that the validator treats specially, or rejects because they are not escaped. */
const special = /[:/?#[\]@!$'()*+,;]|=[^&]*=/;

function queryFits({ names, query }: CompiledOperation, request: Call, strict: boolean): boolean {
  const text = queryText(request.originalUrl);
  if (special.test(text)) return false;
  const given: Record<string, unknown> = text === '' ? {} : { ...parseQuery(text) };
  if (strict && Object.entries(given).some(([name, value]) => !names.includes(name) || value === '')) return false;
  if (!query(given)) return false;
  // Express computes the query anew on each access, so the result is stored as the validator would store it.
  Object.defineProperty(request, 'query', { value: given, writable: true, configurable: true, enumerable: true });
  return true;
}
