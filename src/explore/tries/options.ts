import type { HowPlayed } from './file.js';
import type { Placed, Point, Progress, Report, Required, Run } from '../facts/types.js';

/** Machine milliseconds. */
export interface Patience {
  /** Time for the application to recover after the story; 0 in runs without faults that come first. */
  readonly realMs: number;
  /** Time in which it repeats a failed call, during the story. */
  readonly returnMs: number;
  /** Time to wait for the response to a call. */
  readonly callMs: number;
  /** Start of the id of the rules after whose responses it repeats a call; absent if it also does so without a fault. */
  readonly failsBy?: string | undefined;
  /** True if the end state is the expected one, so that waiting can stop. */
  readonly isOver: (run: Omit<Run, 'tookMs'>) => boolean;
  /** True if it repeats calls that cannot succeed, so that waiting for its end is useless. */
  readonly isInVain: (seen: Pick<Run, 'accounts' | 'comebacks' | 'flows'>) => boolean;
  readonly limitMs: number;
}

/** Plays the story once in a new account, with no fault, with one, or with several that can run together. */
export type Play = (placed: readonly Placed[], patience: Patience) => Promise<Run>;

export interface ExploreOptions {
  readonly play: Play;
  readonly how: HowPlayed;
  /**
   * Plays a scenario file as its reader would, and says that it `passed`, `failed`, or what else became of it. Absent if
   * only the story itself can play a file. `steered`: whether the story moves the clock
   */
  readonly playFile?: (name: string, text: string, steered: boolean, limitMs: number) => Promise<string>;
  /** Maximum number of plays at the same time. */
  readonly lanes: number;
  /** True if the machine has room for a play more than the runs without faults allow. Default: it has none. */
  readonly hasRoom?: () => boolean;
  /** Nothing new begins at this machine time, and plays are stopped. */
  readonly deadlineMs: number;
  /** Resolves soon after, when what has not ended is abandoned. */
  readonly over: Promise<'over'>;
  /** The longest time in which the application may repeat a failed call, in machine milliseconds. */
  readonly longestMs: number;
  /** True if it may need that time after an outage, because its user has said so. */
  readonly outlasts?: boolean;
  /** Returns what is tried besides the usual faults, such as restarts of this kind of application. */
  readonly more?: (points: readonly Point[]) => readonly Placed[];
  readonly only?: (id: string) => boolean;
  /** True if a rule of the story sets the codes of a customer. */
  readonly setsCode?: (to: string | null) => boolean;
  /** Times that an earlier exploration has learnt. */
  readonly waits?: Report['waits'];
  /** A message that the application must send after the fault of the cell. */
  readonly required?: (id: string) => Required | undefined;
  /** Null if the cell counts. */
  readonly ignored?: (id: string) => string | null;
  readonly onProgress?: (progress: Progress) => void;
  /** Gets the notes about the runs without faults, before the first try. */
  readonly onNotes?: (notes: readonly string[]) => void;
  readonly now: () => number;
}
