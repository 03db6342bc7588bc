/** What an exploration is asked, and how its files are played. */
import type { Reference } from './end-state.js';
import type { Play } from './play.js';
import type { Deviation, Placed, Progress, Report } from './types.js';

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
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export interface ExploreOptions {
  readonly play: Play;
  /** Writes a file for a break and plays it; `problem` is undefined if plays of the story have to show the break. */
  readonly playFile: (request: FileRequest) => Promise<Omit<PlayedFile, 'problem'> & { problem?: string | null }>;
  /** Maximum number of tries that run in parallel. */
  readonly lanes: number;
  /** Ends the exploration. */
  readonly deadline: AbortSignal;
  /** The longest time in which the application may repeat a failed call, in machine milliseconds. */
  readonly longestMs: number;
  /** The same in account time; null if it is not given. */
  readonly retryWithinMs: number | null;
  /** Faults in addition to the catalogue, such as restarts. */
  readonly more?: readonly Placed[];
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
