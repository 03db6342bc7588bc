/** Maps methods and paths to operations, as read from the OpenAPI document once. */
import { ServiceError } from '../../domain/errors.js';

export interface OperationRoute {
  readonly operationId: string;
  /** The method in the document: GET for a HEAD call. */
  readonly method: string;
  readonly path: string;
  readonly params: Record<string, string>;
  /** Whether the operation takes a body. */
  readonly body: BodyNeed;
  /** The other methods of its path. */
  readonly besides: readonly string[];
}

export type BodyNeed = 'none' | 'optional' | 'required';

interface PathItem {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly allow: readonly string[];
  /** By method; without the parameters of the path. */
  readonly routes: ReadonlyMap<string, OperationRoute>;
}

export interface OpenApiDocument {
  readonly paths: Record<string, Record<string, unknown>>;
}

const httpMethods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS'];

export class RouteTable {
  readonly #fixed = new Map<string, PathItem>();
  readonly #patterned: PathItem[] = [];

  constructor(document: OpenApiDocument) {
    for (const [path, item] of Object.entries(document.paths)) {
      const allow = httpMethods.filter((method) => item[method.toLowerCase()] !== undefined);
      const routes = new Map(allow.map((method) => [method, routeOf(path, item, method, allow)]));
      const get = routes.get('GET');
      // HEAD asks for the response of GET without its body (RFC 9110, 9.3.2).
      if (get) routes.set('HEAD', get);
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      const source = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/]+)');
      const entry = { pattern: new RegExp(`^${source}$`), names, allow, routes };
      if (names.length > 0) this.#patterned.push(entry);
      else this.#fixed.set(path, entry);
    }
  }

  /**
   * Returns the operation of a call.
   * @param unknown the message for a path that the document does not have
   * @throws ServiceError `not_found`, or `method_not_allowed` with the header `Allow`
   */
  find(method: string, path: string, unknown: string): OperationRoute {
    const fixed = this.#fixed.get(path);
    const item = fixed ?? this.#patterned.find(({ pattern }) => pattern.test(path));
    if (!item) throw new ServiceError('not_found', unknown);
    const route = item.routes.get(method);
    if (route) return fixed ? route : { ...route, params: paramsOf(item, path) };
    const allow = item.allow.join(', ');
    throw new ServiceError('method_not_allowed', `${method} is not supported on ${path}. Allowed: ${allow}.`, {
      headers: { Allow: allow },
    });
  }
}

function routeOf(
  path: string,
  item: Readonly<Record<string, unknown>>,
  method: string,
  allow: readonly string[],
): OperationRoute {
  const { operationId, requestBody } = item[method.toLowerCase()] as {
    operationId: string;
    requestBody?: { required?: boolean };
  };
  return {
    operationId,
    method,
    path,
    params: {},
    body: requestBody ? (requestBody.required === true ? 'required' : 'optional') : 'none',
    besides: allow.filter((other) => other !== method),
  };
}

function paramsOf({ pattern, names }: PathItem, path: string): Record<string, string> {
  const values = pattern.exec(path)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, i) => [name, decoded(values[i] ?? '')]));
}

/** A malformed escape matches no id, so it is taken as literal text. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
