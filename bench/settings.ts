/** The settings of a run of the benchmarks. */
export interface Settings {
  readonly rounds: number;
  /** Duration of a run under load. */
  readonly seconds: number;
  /** Number of stored messages of which growth is reported. */
  readonly messages: number;
}
