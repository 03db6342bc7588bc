/** Thrown where a rule, a header or a magic number replaces the response of an operation. */
import type { RespondEffect } from '../scenario/engine/effects.js';

export class ScriptedAnswer extends Error {
  constructor(readonly effect: RespondEffect) {
    super(effect.message ?? effect.code ?? 'a scripted answer');
  }
}

const refusedStatus = 400;

/** A recipient that a rule rejects: the response of a single send. */
export function refusal(code: string, message: string): ScriptedAnswer {
  return new ScriptedAnswer({ status: refusedStatus, code, message, headers: {}, accept: false });
}
