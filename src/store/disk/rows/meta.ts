/** Counters and clock as they must look when they come from outside. */
import type { ClockMode, ClockState } from '../../../time/account-clock.js';
import type { Meta } from '../../tables/account-data.js';
import { type Check, count, type Fields, instant, oneOf, optional, partOf, record, safeMapOf, text } from '../check.js';

const clock = record<ClockState>({
  mode: oneOf<ClockMode>({ real: true, frozen: true, scaled: true, auto: true }),
  scale: (value, path, problems) => {
    if (typeof value !== 'number' || !(value > 0) || value === Infinity)
      problems.add(path(), value, 'a number above 0');
  },
  baseMs: instant,
  anchorMs: instant,
  quietMs: optional(count),
});

const meta: Fields<Meta> = {
  createdAtMs: instant,
  seq: count,
  begunSeq: optional(count),
  draws: safeMapOf(count),
  clock,
  trimmed: optional(safeMapOf(count)),
  streams: optional(text),
  nowMs: optional(instant),
};

export const metaCheck: Check<Meta> = record(meta);
export const metaPatchCheck: Check<Partial<Meta>> = partOf(meta);
