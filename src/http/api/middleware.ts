/** Runs steps one after the other, as a router does, without what a router does besides. What a step throws goes to `next`. */
import type { ServerResponse } from 'node:http';
import type { Call, Next, Step } from './request-context.js';

export function runSteps(steps: readonly Step[], request: Call, response: ServerResponse, next: Next): void {
  let ended = false;
  let failed = false;
  const end = (error?: unknown): void => {
    // A step further down may throw after it has told its error; it is told once. One that found no fault with the call may
    // still find one with its answer, after the end: that is told too.
    if (failed || (ended && error === undefined)) return;
    ended = true;
    failed = error !== undefined;
    next(error);
  };
  const from = (position: number): void => {
    const step = steps[position];
    if (!step) {
      end();
      return;
    }
    try {
      step(request, response, (error) => {
        if (error === undefined) from(position + 1);
        else end(error);
      });
    } catch (error) {
      end(error);
    }
  };
  from(0);
}
