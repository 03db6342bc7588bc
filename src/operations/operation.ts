/**
 * Every operation of the API plane is a function of context and input that returns the body of the response, or throws
 * a `ServiceError`. A scripted response replaces it by `ScriptedResponse`. No HTTP framework is used here.
 */
import { type ErrorCode, errorTable } from '../domain/errors.js';
import type { Explain, MessageError } from '../domain/rows.js';
import type { Account } from '../account/account.js';
import type { Decision, RespondEffect, Winner } from '../rules/effects.js';
import type { Traced } from '../domain/words.js';
import type { Hook } from '../language/hooks.js';
import type { Facts } from '../language/match.js';

export interface Context {
  readonly account: Account;
  /** Account time of the call, in milliseconds. */
  readonly nowMs: number;
  /** The trace of the call, stored with the records that it creates and with their deliveries. */
  readonly trace: Traced;
  /** Adds a warning to the journal that does not cause a rejection. */
  warn(text: string): void;
  /** Returns the decision of header, rules, magic numbers and scenario defaults for this call. */
  decide(hook: Hook, facts: Facts): Decision;
  /**
   * Applies the decision to the response as a whole: rate limits and scripted responses.
   * @throws ScriptedResponse if the operation must not run
   */
  applyDecision(decision: Pick<Decision, 'limit' | 'respond'>): void;
  /** Takes a token for one entry of a batch; returns null, or the error of that entry. */
  takeToken(limit: Winner<'limit'>): MessageError | null;
  /** Explains the response in the journal. */
  explain(explain: Explain): void;
  /** Records the rule behind the response, if an earlier call decided it; a default is not recorded. */
  credit(explain: Explain): void;
}

/** The input from the route and the validated body. */
export interface Input<Body = unknown, Params = Record<string, string>> {
  readonly params: Params;
  readonly body: Body;
}

/** `created` and `deleted` respond with the statuses of the dialect; all others with 200. */
export type Success = 'ok' | 'created' | 'deleted';

export class ScriptedResponse extends Error {
  constructor(readonly effect: RespondEffect) {
    super(effect.message ?? effect.code ?? 'a scripted answer');
  }
}

const refusedStatus = 400;

/**
 * A recipient that a rule rejects: the response of a single send. If its code usually has the status of a rejection, the
 * dialect can replace that.
 */
export function refusal(code: string, message: string): ScriptedResponse {
  const usual = Object.hasOwn(errorTable, code) ? errorTable[code as ErrorCode].status : undefined;
  const status = usual === refusedStatus ? {} : { status: refusedStatus };
  return new ScriptedResponse({ ...status, code, message, headers: {}, accept: false });
}
