import { number, type Of, oneOf, optional, record, text, type TypeOf } from './check.js';

const explainFields = {
  /**
   * The source of a decision: the caller who asked for this one outcome (a request header, a call, a step of the
   * timeline), a rule, a magic number, or the default.
   */
  by: oneOf(['header', 'rule', 'magic', 'default']),
  /** Id of the rule or magic number; `timeline` for a step of it. */
  id: optional(text),
  /** Scenario file and line of the rule. */
  file: optional(text),
  line: optional(number),
  /** One sentence for people. */
  text,
};
/** The reason for something that happened. */
export type Explain = Of<typeof explainFields>;
export const explain = record(explainFields);

/** The explanation if no rule applied. */
export function byDefault(text: string): Explain {
  return { by: 'default', text };
}

/** The source of a change that was not planned: a call of the control plane, or a step of the scenario's timeline. */
export const hand = oneOf(['command', 'timeline']);
export type Hand = TypeOf<typeof hand>;

/** A state that a record reached. */
interface Move {
  readonly status: string;
  readonly by?: Hand;
}

const hands: Readonly<Record<Hand, string>> = { command: 'A command', timeline: 'The timeline' };

/**
 * The decision about a record when it was created, and the source of later changes; rule and place stay those of the
 * decision.
 */
export function withHands(plan: Explain, history: readonly Move[]): Explain {
  const moves = history.flatMap(({ status, by }) => (by ? [`${hands[by]} moved it to ${status}.`] : []));
  return moves.length === 0 ? plan : { ...plan, text: `${moves.join(' ')} The plan was: ${plan.text}` };
}
