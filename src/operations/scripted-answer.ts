/** Thrown where a rule, a header or a magic number wants another answer than the operation's (contract §5, `respond`). */
import type { RespondEffect } from '../scenario/engine/effects.js';

export class ScriptedAnswer extends Error {
  constructor(readonly effect: RespondEffect) {
    super(effect.message ?? effect.code ?? 'a scripted answer');
  }
}

const refusedStatus = 400;

/** A recipient that is refused: an answer of its own for a single send (contract §5, `refuse`). */
export function refusal(code: string, message: string): ScriptedAnswer {
  return new ScriptedAnswer({ status: refusedStatus, code, message, headers: {}, accept: false });
}
