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

export type Match =
  | { readonly kind: 'operation'; readonly route: OperationRoute }
  | { readonly kind: 'wrong-method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };

type Operation = Pick<OperationRoute, 'operationId' | 'body' | 'besides'>;

interface PathItem {
  readonly path: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly methods: ReadonlyMap<string, Operation>;
  /** Of a path without parameters: the match of each method, created once. */
  readonly ready: Map<string, Match>;
}

export interface OpenApiDocument {
  readonly paths: Record<string, Record<string, unknown>>;
}

const httpMethods = ['get', 'put', 'post', 'delete', 'patch', 'options'];

export class RouteTable {
  readonly #fixed = new Map<string, PathItem>();
  readonly #patterned: PathItem[] = [];

  constructor(document: OpenApiDocument) {
    for (const [path, item] of Object.entries(document.paths)) {
      const methods = new Map<string, Operation>();
      const known = httpMethods.filter((method) => item[method] !== undefined);
      for (const method of known) {
        const operation = item[method] as { operationId: string; requestBody?: { required?: boolean } };
        methods.set(method.toUpperCase(), {
          operationId: operation.operationId,
          body: operation.requestBody ? (operation.requestBody.required === true ? 'required' : 'optional') : 'none',
          besides: known.filter((other) => other !== method).map((other) => other.toUpperCase()),
        });
      }
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      const source = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '([^/]+)');
      const entry: PathItem = { path, pattern: new RegExp(`^${source}$`), names, methods, ready: new Map() };
      if (names.length > 0) {
        this.#patterned.push(entry);
        continue;
      }
      this.#fixed.set(path, entry);
      for (const method of methods.keys()) entry.ready.set(method, matchMethod(entry, method, {}));
    }
  }

  operationIds(): string[] {
    return [...this.#fixed.values(), ...this.#patterned].flatMap((item) =>
      [...item.methods.values()].map(({ operationId }) => operationId),
    );
  }

  /**
   * Returns the operation of a call.
   * @param unknown the message for a path that the document does not have
   * @throws ServiceError `not_found`, or `method_not_allowed` with the header `Allow`
   */
  find(method: string, path: string, unknown: string): OperationRoute {
    const match = this.match(method, path);
    if (match.kind === 'operation') return match.route;
    if (match.kind === 'unknown') throw new ServiceError('not_found', unknown);
    const allow = match.allow.join(', ');
    throw new ServiceError('method_not_allowed', `${method} is not supported on ${path}. Allowed: ${allow}.`, {
      headers: { Allow: allow },
    });
  }

  match(method: string, path: string): Match {
    const fixed = this.#fixed.get(path);
    if (fixed) return fixed.ready.get(method) ?? matchMethod(fixed, method, {});
    for (const item of this.#patterned) {
      const found = item.pattern.exec(path);
      if (found) return matchMethod(item, method, paramsOf(item.names, found));
    }
    return { kind: 'unknown' };
  }
}

function matchMethod(item: PathItem, method: string, params: Record<string, string>): Match {
  // HEAD asks for the response of GET without its body (RFC 9110, 9.3.2).
  const described = method === 'HEAD' ? 'GET' : method;
  const operation = item.methods.get(described);
  if (!operation) return { kind: 'wrong-method', allow: [...item.methods.keys()] };
  return { kind: 'operation', route: { ...operation, method: described, path: item.path, params } };
}

function paramsOf(names: readonly string[], found: RegExpExecArray): Record<string, string> {
  const params: Record<string, string> = {};
  names.forEach((name, i) => {
    params[name] = decoded(found[i + 1] ?? '');
  });
  return params;
}

/** A malformed escape matches no id, so it is taken as literal text. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
