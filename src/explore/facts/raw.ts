import type { Part } from './end-state.js';
import type { Deviation, Run } from './types.js';

export type Raw = Omit<Deviation, 'doubt'> & {
  /** The part concerned; absent for the application as a whole. */
  readonly of?: Part;
  /** The customers concerned; none where the application shows none. */
  readonly customers?: readonly string[];
  /** The names that lead to the reported value. */
  readonly path?: readonly string[];
  /** The value that is reported there. */
  readonly got?: unknown;
  readonly grown?: boolean;
  /** Given if it counts after every fault. */
  readonly doubt?: string | null;
};

export type Found = Omit<Run, 'tookMs'>;
