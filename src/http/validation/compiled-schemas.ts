/**
 * The compiled schemas of an operation. What they accept is valid; about all other requests express-openapi-validator is asked
 * (docs/decisions/009). A response that they do not accept is an error of the sandbox.
 */
import { ServiceError } from '../../domain/errors.js';
import { parseQuery, queryText } from '../api/query.js';
import type { Call } from '../api/request-context.js';
import type { OperationRoute } from '../api/route-table.js';

/** The schemas of an operation as functions, compiled when the package is built (scripts/compile-validators.ts). */
interface Check {
  (value: unknown): boolean;
  /** What was wrong with the last value. */
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
  /** Of JSON responses, by status. */
  readonly answers: Readonly<Record<string, Check>>;
}

export type CompiledOperations = Readonly<Record<string, CompiledOperation>>;

/** @throws ServiceError `internal_error` when the response breaks the document: a fault of the sandbox */
export function checkResponse(compiled: CompiledOperations, operationId: string, status: number, body: unknown): void {
  const check = compiled[operationId]?.answers[status];
  if (!check || check(body)) return;
  const [first] = check.errors ?? [];
  const place = first === undefined ? '' : ` at "${first.instancePath}" (${first.keyword})`;
  throw new ServiceError(
    'internal_error',
    `The response of the sandbox to ${operationId} does not match its OpenAPI document${place}. This is a bug of the sandbox; please report it.`,
  );
}

/**
 * Whether a request fits its operation beyond doubt. As the validator does it, `request.query` then has its numbers and
 * defaults.
 * @param strictQuery refuse query parameters that the document does not name
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

/** Exactly what the document names, or with UTF-8 said beside it; anything more special is for the validator. */
function mediaType(header: string | undefined): string {
  if (header === undefined) return '';
  if (header === 'application/json') return header;
  return header.toLowerCase().replace(/ *; *charset="?utf-?8"? *$/, '');
}

/** What the validator reads as more than a plain value, or refuses for not being escaped. */
const special = /[:/?#[\]@!$'()*+,;]|=[^&]*=/;

function queryFits({ names, query }: CompiledOperation, request: Call, strict: boolean): boolean {
  const text = queryText(request.originalUrl);
  if (special.test(text)) return false;
  const given: Record<string, unknown> = text === '' ? {} : { ...parseQuery(text) };
  if (strict && Object.entries(given).some(([name, value]) => !names.includes(name) || value === '')) return false;
  if (!query(given)) return false;
  // Express computes the query anew at each look, so it is put down as the validator would put it down.
  Object.defineProperty(request, 'query', { value: given, writable: true, configurable: true, enumerable: true });
  return true;
}
