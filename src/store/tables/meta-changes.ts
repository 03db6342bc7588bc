import type { Meta } from './account-data.js';

/** Compares counters and clock fields from one write to the next. */
export class MetaChanges {
  #written: Meta;

  constructor(meta: Meta) {
    this.#written = { ...meta, draws: { ...meta.draws } };
  }

  get seq(): number {
    return this.#written.seq;
  }

  /** Whether the clock was set since the latest write. */
  clockMoved(meta: Meta): boolean {
    return meta.clock !== this.#written.clock;
  }

  /** Returns the fields that changed since the last call, with only those random streams that were drawn from. */
  take(meta: Meta): Partial<Meta> {
    const written = this.#written;
    const changed: { -readonly [K in keyof Meta]?: Meta[K] } = {};
    if (meta.seq !== written.seq) changed.seq = written.seq = meta.seq;
    for (const purpose in meta.draws) {
      const drawn = meta.draws[purpose] ?? 0;
      if (written.draws[purpose] === drawn) continue;
      written.draws[purpose] = drawn;
      (changed.draws ??= {})[purpose] = drawn;
    }
    if (meta.begunSeq !== undefined && meta.begunSeq !== written.begunSeq) {
      changed.begunSeq = written.begunSeq = meta.begunSeq;
    }
    if (meta.clock !== written.clock) changed.clock = written.clock = meta.clock;
    if (meta.trimmed && meta.trimmed !== written.trimmed) changed.trimmed = written.trimmed = meta.trimmed;
    if (meta.nowMs !== undefined && meta.nowMs !== written.nowMs) changed.nowMs = written.nowMs = meta.nowMs;
    return changed;
  }
}
