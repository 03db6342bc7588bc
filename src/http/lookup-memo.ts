/**
 * The validator looks for the operation of each call anew, path by path, compiling each path's pattern again. The plane
 * knows the operation already, so what the validator found for it the first time is given to it from then on.
 */
import type { Request } from 'express';
import type { OperationRoute } from './route-table.js';
import type { Step } from './exchange.js';
import { runSteps } from './run-steps.js';

/** What the validator's look-up leaves on a request for its later steps. */
interface Found {
  readonly pathParams: Record<string, string>;
}

/** The steps of the validator that find the operation and nothing else, by the names it gives them. */
const lookupNames = new Set(['pathParamsMiddleware', 'metadataMiddleware', 'securityMiddleware']);

export function rememberLookups(steps: readonly Step[], routeOf: (request: Request) => OperationRoute | null): Step[] {
  const lookup = steps.filter(({ name }) => lookupNames.has(name));
  const judging = steps.filter(({ name }) => !lookupNames.has(name));
  const found = new Map<string, Found>();
  const remembered: Step = (request, response, next) => {
    const route = routeOf(request);
    const holder = request as Request & { openapi?: Found };
    const known = route && found.get(route.operationId);
    if (known) {
      holder.openapi = { ...known, pathParams: route.params };
      request.params = route.params;
      next();
      return;
    }
    runSteps(lookup, request, response, (error) => {
      if (error === undefined && route && holder.openapi) found.set(route.operationId, holder.openapi);
      next(error);
    });
  };
  return [remembered, ...judging];
}
