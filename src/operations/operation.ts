/**
 * Every operation is a function of the call and its input that returns a body, or throws a `ServiceError` or a
 * `ScriptedResponse`. No HTTP framework is used here.
 */
import { ScriptedResponse } from '../account/call.js';
import { type ErrorCode, errorTable } from '../domain/errors.js';

export interface Input<Body = unknown, Params = Record<string, string>> {
  readonly params: Params;
  readonly body: Body;
}

/** `created` and `deleted` respond with the statuses of the dialect; all others with 200. */
export type Success = 'ok' | 'created' | 'deleted';

const refusedStatus = 400;

/** The response of a single send. If its code usually has the status of a rejection, the dialect can replace that. */
export function refusal(code: string, message: string): ScriptedResponse {
  const usual = Object.hasOwn(errorTable, code) ? errorTable[code as ErrorCode].status : undefined;
  const status = usual === refusedStatus ? {} : { status: refusedStatus };
  return new ScriptedResponse({ ...status, code, message, headers: {}, accept: false });
}
