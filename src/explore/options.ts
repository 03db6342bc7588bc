/** What an exploration is asked, and how its story and its files are played. */
import type { Reference } from './end-state.js';
import type { Deviation, Placed, Point, Progress, Report, Run } from './types.js';

/** How an application is given time in one play. */
export interface Patience {
  /** Machine milliseconds in which it repeats a failed call. */
  readonly realMs: number;
  /** Machine milliseconds for which a call without a response is waited for. */
  readonly callMs: number;
  /** Whether the end state is the expected one, so that waiting can stop. */
  readonly isOver: (run: Omit<Run, 'tookMs'>) => boolean;
  /** Machine milliseconds after which the play is stopped. */
  readonly limitMs: number;
}

/** Plays the story once in a new account. */
export type Play = (placed: Placed | null, patience: Patience) => Promise<Run>;

/** A scenario file that was played: with the fault it must fail, without it must pass. */
export interface PlayedFile {
  readonly name: string;
  readonly text: string;
  /** Why it is not written: it would not fail on this application and pass without the fault. */
  readonly noFile?: string;
  /** Why the break is not proven; null if it is. */
  readonly problem: string | null;
}

export interface FileRequest {
  readonly placed: Placed;
  readonly deviation: Deviation;
  readonly reference: Reference;
  /** Machine milliseconds in which the application may reach its end state. */
  readonly patienceMs: number;
  /** Returns the machine milliseconds that one play of it may take now. */
  readonly limitMs: () => number;
  /** Whether the story may be played several times at once. */
  readonly together: boolean;
}

export interface ExploreOptions {
  readonly play: Play;
  /** Writes a file for a break and plays it; `problem` is undefined if plays of the story have to show the break. */
  readonly playFile: (request: FileRequest) => Promise<Omit<PlayedFile, 'problem'> & { problem?: string | null }>;
  /** Maximum number of tries that run in parallel. */
  readonly lanes: number;
  /** The machine time at which nothing new begins, and plays are stopped. */
  readonly deadlineMs: number;
  /** Resolves soon after, when what has not ended is abandoned. */
  readonly over: Promise<'over'>;
  /** The longest time in which the application may repeat a failed call, in machine milliseconds. */
  readonly longestMs: number;
  /** The same in account time; null if it is not given. */
  readonly retryWithinMs: number | null;
  /** Returns the faults to try for this kind of story, such as restarts before the usual ones. */
  readonly adapted?: (usual: readonly Placed[], points: readonly Point[]) => readonly Placed[];
  /** Whether a cell is wanted. */
  readonly only?: (id: string) => boolean;
  /** The report of an earlier exploration, whose tries are not repeated. */
  readonly resumed?: Pick<Report, 'cells' | 'breaks'>;
  /** Why a cell is ignored, or null. */
  readonly ignored?: (id: string) => string | null;
  readonly onProgress?: (progress: Progress) => void;
  /** Machine time in milliseconds. */
  readonly now: () => number;
}
