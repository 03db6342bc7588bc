/** How a story is played: what `explore` asks of its player. */
import type { Placed, Run } from './types.js';

/** How an application is given time in one play. */
export interface Patience {
  /** Machine milliseconds in which it repeats a failed call. */
  readonly realMs: number;
  /** Whether the end state is the expected one, so that waiting can stop. */
  readonly isOver: (run: Omit<Run, 'tookMs'>) => boolean;
  /** Called when the application repeats a call that had failed, with the time between both. */
  readonly onReturn?: (waited: { readonly realMs: number; readonly accountMs: number }) => void;
  /** Machine milliseconds after which the play is stopped. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Plays the story once in a new account. */
export type Play = (placed: Placed | null, patience: Patience) => Promise<Run>;
