/**
 * What an answered write promises (contract §7, `--fsync`). `always`: it is on the medium. `interval`: it is with the
 * operating system at once, so that it survives the end of the process, and on the medium within 50 ms.
 */
export type Fsync = 'always' | 'interval';
