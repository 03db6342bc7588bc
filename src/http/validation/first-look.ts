/**
 * The first look at a call, by the compiled schemas: what they accept, express-openapi-validator would accept too, and it is
 * asked about all the rest (docs/decisions/009). Nothing is refused here.
 */
import type { CompiledOperation } from './compiled-operation.js';
import type { Call } from '../api/request-context.js';
import { parseQuery, queryText } from '../api/query.js';
import type { OperationRoute } from '../api/route-table.js';

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
