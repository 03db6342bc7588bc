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

/** The validator's steps as version 5 makes them: path parameters, operation, security; then request, response. */
const lookupSteps = 3;
const judgingSteps = 2;

export function rememberLookups(steps: readonly Step[], routeOf: (request: Request) => OperationRoute | null): Step[] {
  if (steps.length !== lookupSteps + judgingSteps) {
    throw new Error(
      `express-openapi-validator made ${steps.length} steps where ${lookupSteps + judgingSteps} were known`,
    );
  }
  const lookup = steps.slice(0, lookupSteps);
  const judging = steps.slice(lookupSteps);
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
