import type { Explain } from './rows.js';
import type { Actor } from './words.js';

export function byDefault(text: string): Explain {
  return { by: 'default', text };
}

interface Move {
  readonly status: string;
  readonly by?: Actor;
}

const actorNames: Readonly<Record<Actor, string>> = { command: 'A command', timeline: 'The timeline' };

/**
 * The decision about a record when it was created, and the source of later changes; rule and place stay those from the
 * decision.
 */
export function withActors(plan: Explain, history: readonly Move[]): Explain {
  const moves = history.flatMap(({ status, by }) => (by ? [`${actorNames[by]} moved it to ${status}.`] : []));
  return moves.length === 0 ? plan : { ...plan, text: `${moves.join(' ')} The plan was: ${plan.text}` };
}
