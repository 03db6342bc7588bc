/** How thoroughly to measure. */
export interface Settings {
  /** Interleaved repetitions of everything. */
  readonly rounds: number;
  /** Machine seconds of one run under load. */
  readonly seconds: number;
  /** Connections of one run under load. */
  readonly connections: number;
  /** Messages stored where growth and memory are measured. */
  readonly messages: number;
  /** Names of the peers to measure; null = all that can be had. */
  readonly only: readonly string[] | null;
}

export const defaultSettings: Settings = { rounds: 5, seconds: 3, connections: 50, messages: 1_000_000, only: null };
