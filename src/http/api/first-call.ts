import type { ServerResponse } from 'node:http';
import type { Call, Next } from './request-context.js';

/** A step, of whichever kind of calls. */
type StepOf<Q extends Call, R extends ServerResponse> = (request: Q, response: R, next: Next) => void;

/**
 * A step that is made with the first call, because a start is not to wait for it. Calls that come while it is made keep
 * their order. When it cannot be made, each of them fails.
 */
export function atFirstCall<Q extends Call, R extends ServerResponse>(
  make: () => StepOf<Q, R> | Promise<StepOf<Q, R>>,
): StepOf<Q, R> {
  let made: StepOf<Q, R> | null = null;
  let coming: Promise<StepOf<Q, R>> | null = null;
  return (request, response, next) => {
    if (made !== null) {
      made(request, response, next);
      return;
    }
    coming ??= (async () => (made = await make()))();
    coming.then((step) => step(request, response, next)).catch(next);
  };
}
