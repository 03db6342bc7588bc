import { parseDuration } from '../time/duration.js';
import { offsetsIn } from '../language/durations.js';
import type { Expectation } from '../language/expect.js';
import type { ExpectSubject } from '../language/hooks.js';
import type { Matcher } from '../language/match.js';
import { compileNamed, type FactValue, type Test } from './match.js';

/**
 * Has the fields listed in `FIELDS_BY_SUBJECT`, and two that a scenario cannot name: `ref`, the id of the record, and
 * `seq`, which orders records of one instant.
 */
export type EvidenceRecord = Readonly<Record<string, unknown>>;

/** Each kind is in chronological order. */
export type Evidence = { readonly [S in ExpectSubject]: () => readonly EvidenceRecord[] };

interface Moment {
  readonly atMs: number;
  readonly seq: number;
}

export function momentOf({ at, seq }: EvidenceRecord): Moment {
  return { atMs: Date.parse(String(at)), seq: typeof seq === 'number' ? seq : 0 };
}

function isAfter(one: Moment, other: Moment): boolean {
  return one.atMs > other.atMs || (one.atMs === other.atMs && one.seq > other.seq);
}

/** Checks and steps to which an expectation can refer, and the account time from which `by` counts without them. */
export interface Surroundings {
  readonly checks: readonly Expectation[];
  /** Steps that have not begun are missing. */
  readonly steps?: readonly (Moment & { readonly id: string })[];
  readonly activatedAtMs: number;
}

/**
 * Selects by conditions, and by the time from another check's first record, or from a step. `missing` is the check that
 * this expectation refers to, if it found nothing.
 */
export function select(
  { that, where = {}, after, before, by }: Expectation,
  evidence: Evidence,
  around: Surroundings,
): { readonly all: readonly EvidenceRecord[]; readonly found: readonly EvidenceRecord[]; readonly missing?: string } {
  const all = evidence[that]();
  const found = all.filter(compileFields(where, around.activatedAtMs));
  const firstOf = (id: string | undefined): Moment | undefined => {
    const step = around.steps?.find((one) => one.id === id);
    if (step !== undefined) return step;
    const check = id === undefined ? undefined : around.checks.find((one) => one.id === id);
    const first = check && select(check, evidence, around).found[0];
    return first && momentOf(first);
  };
  const [from, to] = [firstOf(after), firstOf(before)];
  if (after !== undefined && from === undefined) return { all, found: [], missing: after };
  if (before !== undefined && to === undefined) return { all, found: [], missing: before };
  const lengthMs = by === undefined ? Infinity : parseDuration(by);
  const fromMs = from?.atMs ?? (to === undefined ? around.activatedAtMs : to.atMs - lengthMs);
  const isInTime = (record: EvidenceRecord) => {
    const moment = momentOf(record);
    if ((from && !isAfter(moment, from)) || (to && !isAfter(to, moment))) return false;
    return by === undefined || (moment.atMs >= fromMs && moment.atMs - fromMs <= lengthMs);
  };
  return { all, found: found.filter(isInTime) };
}

export function compileFields(
  fields: Readonly<Record<string, Matcher>>,
  startMs: number,
): (record: EvidenceRecord) => boolean {
  const tests = Object.entries(fields).map(([name, matcher]) => {
    const test = name === 'at' ? compileTime(matcher, startMs) : compileNamed(name, matcher);
    return [name, test] as const;
  });
  return (record) => tests.every(([name, test]) => test(asFact(fieldOf(record, name))));
}

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** `+1h..+2h`, `{ clock: 22:00..08:00 }`, or a text that the time matches. */
function compileTime(matcher: Matcher, startMs: number): Test {
  if (Array.isArray(matcher)) {
    const tests = matcher.map((one) => compileTime(one, startMs));
    return (value) => tests.some((test) => test(value));
  }
  const atMs = (value: FactValue) => Date.parse(String(value));
  if (typeof matcher === 'string') {
    const offsets = offsetsIn(matcher);
    if (offsets === null) return compileNamed('at', matcher);
    return (value) => atMs(value) - startMs >= offsets.fromMs && atMs(value) - startMs <= offsets.toMs;
  }
  const { not, clock } = matcher;
  if (not !== undefined) {
    const test = compileTime(not, startMs);
    return (value) => !test(value);
  }
  if (clock === undefined) return compileNamed('at', matcher);
  const [fromMs = 0, toMs = 0] = clock.split('..').map((time) => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    return (hours * 60 + minutes) * MINUTE_MS;
  });
  return (value) => {
    const timeMs = atMs(value) % DAY_MS;
    return fromMs <= toMs ? timeMs >= fromMs && timeMs < toMs : timeMs >= fromMs || timeMs < toMs;
  };
}

/** A dotted name reaches inside; a field that holds an object with a `code` is compared by it, as `error` is. */
export function fieldOf(record: EvidenceRecord, name: string): unknown {
  return name.split('.').reduce<unknown>((value, part) => {
    const isInside = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isInside ? (value as EvidenceRecord)[part] : undefined;
  }, record);
}

function asFact(value: unknown): FactValue {
  if (Array.isArray(value)) return value.map(asFact);
  if (typeof value === 'object' && value !== null) return 'code' in value ? asFact(value.code) : JSON.stringify(value);
  return value as FactValue;
}
