/** Runs steps one after the other, as a router does, outside of one. */
import type { Request, Response } from 'express';
import type { Next, Step } from './exchange.js';

export function runSteps(steps: readonly Step[], request: Request, response: Response, next: Next): void {
  const from = (position: number): void => {
    const step = steps[position];
    if (!step) {
      next();
      return;
    }
    step(request, response, (error) => {
      if (error === undefined) from(position + 1);
      else next(error);
    });
  };
  from(0);
}
