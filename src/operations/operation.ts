/**
 * What every operation of the API plane is: a function of context and input that returns the body of the response, or throws a
 * `ServiceError`. A scripted response replaces it by `ScriptedResponse`. No HTTP framework appears here.
 */
import type { Explain } from '../domain/explain.js';
import type { Account } from '../account/account.js';
import type { MessageError } from '../domain/message.js';
import type { Decision, RespondEffect, Winner } from '../scenario/engine/effects.js';
import type { Traced } from '../domain/trace.js';
import type { Facts, Hook } from '../scenario/language/hooks.js';

export interface Context {
  readonly account: Account;
  /** Account time of the call, in milliseconds. */
  readonly nowMs: number;
  /** The trace that the call belongs to; what it makes keeps it, and so do the deliveries about that. */
  readonly trace: Traced;
  /** Notes something the caller should know but is not refused for; it stands in the journal. */
  warn(text: string): void;
  /** What header, rules, magic numbers and scenario defaults decide about this call, slot by slot. */
  decide(hook: Hook, facts: Facts): Decision;
  /**
   * Does what was decided about the answer as a whole: rate limits and scripted answers.
   * @throws ScriptedResponse when the operation must not happen
   */
  applyDecision(decision: Pick<Decision, 'limit' | 'respond'>): void;
  /** Takes a token for one entry of a batch; null, or what that entry is refused with. */
  takeToken(limit: Winner<'limit'>): MessageError | null;
  /** Says why the answer is as it is; it stands in the journal. */
  explain(explain: Explain): void;
  /** Names who shaped the answer by what was decided in an earlier call; a default shapes none. */
  credit(explain: Explain): void;
}

/** What the route and the validated body hand in. */
export interface Input<Body = unknown, Params = Record<string, string>> {
  readonly params: Params;
  readonly body: Body;
}

/** `created` and `deleted` answer with the statuses that the dialect names; everything else with 200. */
export type Success = 'ok' | 'created' | 'deleted';

export class ScriptedResponse extends Error {
  constructor(readonly effect: RespondEffect) {
    super(effect.message ?? effect.code ?? 'a scripted answer');
  }
}

const refusedStatus = 400;

/** A recipient that a rule rejects: the response of a single send. */
export function refusal(code: string, message: string): ScriptedResponse {
  return new ScriptedResponse({ status: refusedStatus, code, message, headers: {}, accept: false });
}
