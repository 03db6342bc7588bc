import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { IRoute, RequestHandler, Router } from 'express';
import { ServiceError } from '../domain/errors.js';
import type { Reply } from './api/reply.js';
import type { Operation, OperationCall } from './operation.js';

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Call extends OperationCall {
  /** In the API plane, once the call has an account. */
  reply?: Reply;
  /** The reason for which the server refuses the call before it is read. The journal has the call all the same. */
  refusal?: ServiceError;
}

/**
 * Reads a query string. A plus sign at the start of a value belongs to a phone number and is not a space:
 * `?to=+12025550101`.
 */
export function parseQuery(text: string | undefined): ParsedUrlQuery {
  return parse((text ?? '').replace(/=\+(?=\d)/g, '=%2B'));
}

/** Hands a plane's calls to its router. If the router were mounted at the path, Express would cut and parse the URL of each call again. */
export function planeAt(plane: string, router: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (request.path === plane || request.path.startsWith(`${plane}/`)) void router(request, response, next);
    else next();
  };
}

const methods = ['get', 'put', 'post', 'delete'] as const;

/** Adds a route for each path of a plane; a method that its document does not have is rejected with `Allow`. */
export function addOperations(
  router: Router,
  { paths }: OpenApiDocument,
  plane: string,
  handlers: (operation: Operation) => RequestHandler[],
): void {
  for (const [path, item] of Object.entries(paths)) {
    if (!path.startsWith(`${plane}/`)) continue;
    // Express would parse a path with parameters for each sandbox.
    const pattern = path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const route = router.route([new RegExp(`^${pattern}$`)]);
    const present = methods.filter((method) => item[method] !== undefined);
    for (const method of present) {
      const operation = readOperation(path, method, present, item[method] as Described);
      route[method](...handlers(operation));
    }
    rejectOthers(route, present.map((method) => method.toUpperCase()).join(', '));
  }
}

interface Described {
  readonly operationId: string;
  readonly requestBody?: { readonly required?: boolean };
}

function readOperation(path: string, method: string, present: readonly string[], described: Described): Operation {
  const { operationId, requestBody } = described;
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    body: requestBody ? (requestBody.required === true ? 'required' : 'optional') : 'none',
    otherMethods: present.filter((other) => other !== method).map((other) => other.toUpperCase()),
  };
}

export function rejectOthers(route: IRoute, allow: string): void {
  route.all((request) => {
    throw new ServiceError(
      'method_not_allowed',
      `${request.method} is not supported on ${request.path}. Allowed: ${allow}.`,
      { headers: { Allow: allow } },
    );
  });
}
