import type { ServerResponse } from 'node:http';
import type { Call, Step } from './api/request-context.js';

/** What only the app can hand a plane. */
export interface AppSide {
  /** Who may talk to the sandbox at all; comes before every other step. */
  readonly guard: Step;
  /** See `JudgeParts`. */
  readonly asExpress: (request: Call, response: ServerResponse) => void;
}
