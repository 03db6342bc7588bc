/** What an exploration is asked, and how its story and its files are played. */
import type { LimitFunction } from 'p-limit';
import type { Reference } from './end-state.js';
import type { Deviation, Placed, Point, Progress, Report, Run } from './types.js';

/** How an application is given time in one play. Times are machine milliseconds. */
export interface Patience {
  /** In which it repeats a failed call. */
  readonly realMs: number;
  /** For which a call without a response is waited for. */
  readonly callMs: number;
  /** Whether the end state is the expected one, so that waiting can stop. */
  readonly isOver: (run: Omit<Run, 'tookMs'>) => boolean;
  /** After which the play is stopped. */
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
  /** Why the break is not proven. */
  readonly problem?: string;
}

export interface FileRequest {
  readonly placed: Placed;
  readonly deviation: Deviation;
  readonly reference: Reference;
  /** Machine milliseconds in which the application may reach its end state. */
  readonly patienceMs: number;
  /** Returns the machine milliseconds that one play of it may take now. */
  readonly limitMs: () => number;
  /** Waits with a play until it may run: beside others, or after them. */
  readonly inTurn: LimitFunction;
}

export interface ExploreOptions {
  readonly play: Play;
  /** Writes a file for a break and plays it. */
  readonly playFile: (request: FileRequest) => Promise<PlayedFile>;
  /** Maximum number of tries that run in parallel. */
  readonly lanes: number;
  /** The machine time at which nothing new begins, and plays are stopped. */
  readonly deadlineMs: number;
  /** Resolves soon after, when what has not ended is abandoned. */
  readonly over: Promise<'over'>;
  /** The longest time in which the application may repeat a failed call, in machine milliseconds. */
  readonly longestMs: number;
  /** Returns what is tried before the usual faults, such as restarts of this kind of application. */
  readonly first?: (points: readonly Point[]) => readonly Placed[];
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
