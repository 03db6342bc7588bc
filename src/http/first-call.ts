import type { Step } from './exchange.js';

/**
 * A step that is made with the first call, because a start is not to wait for it. Calls that come while it is made keep
 * their order. When it cannot be made, each of them fails.
 */
export function atFirstCall(make: () => Promise<Step>): Step {
  let made: Step | null = null;
  let coming: Promise<Step> | null = null;
  return (request, response, next) => {
    if (made !== null) {
      made(request, response, next);
      return;
    }
    coming ??= make().then((step) => (made = step));
    coming.then((step) => step(request, response, next)).catch(next);
  };
}
