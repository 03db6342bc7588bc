import type { ServerResponse } from 'node:http';
import type { Call, Middleware, Next } from './request-context.js';

/** Runs middleware one after the other, as a router does. What one of them throws goes to `next`, once. */
export function runMiddleware(all: readonly Middleware[], request: Call, response: ServerResponse, next: Next): void {
  let ended = false;
  let failed = false;
  const end = (error?: unknown): void => {
    // Middleware may throw after it has passed its error on; and after a good end the response may still be found wrong.
    if (failed || (ended && error === undefined)) return;
    ended = true;
    failed = error !== undefined;
    next(error);
  };
  const from = (position: number): void => {
    const middleware = all[position];
    if (!middleware) {
      end();
      return;
    }
    try {
      middleware(request, response, (error) => {
        if (error === undefined) from(position + 1);
        else end(error);
      });
    } catch (error) {
      end(error);
    }
  };
  from(0);
}
