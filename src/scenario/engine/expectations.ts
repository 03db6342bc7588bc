/** Evaluates what a scenario expects of the application under test. */
import { checksOf, type Check } from './checks.js';
import { compileFields, fieldOf, select, type Evidence, type EvidenceRecord } from './evidence.js';
import { parseOffset } from '../schema/durations.js';
import type { Expectation } from '../schema/expect.js';
import type { Matcher } from '../schema/match.js';

export interface Judgement {
  readonly passed: boolean;
  readonly at: string;
  readonly that: string;
  /** What a failure means, as the author wrote it; omitted if nothing is written. */
  readonly because?: string;
  /** The expected result, in words. */
  readonly expected: string;
  /** The actual result, in words. */
  readonly found: string;
  /** Ids of the records that failed the check, at most `MOST_RECORDS`; omitted if there are none. */
  readonly records?: readonly string[];
}

/** The first few records explain a check that fails for hundreds. */
const MOST_RECORDS = 10;

/** Returns when to evaluate, in milliseconds from activation; null for `finish`. */
export function judgementOffsetMs({ at }: Pick<Expectation, 'at'>): number | null {
  return at === 'finish' ? null : parseOffset(at);
}

/** What an expectation may refer to. */
export interface Surroundings {
  /** All checks of the scenario, for those that name another one. */
  readonly checks?: readonly Expectation[];
  /** Account time from which `by` counts if no other check is named. */
  readonly activatedAtMs?: number;
}

/** Evaluates one expectation on the evidence, with one step for each record. */
export function judge(expectation: Expectation, evidence: Evidence, around: Surroundings = {}): Judgement {
  const { at, that, where = {}, because } = expectation;
  const { checks = [], activatedAtMs = 0 } = around;
  const { found, missing } = select(expectation, evidence, { checks, activatedAtMs });
  const results: Check[] =
    missing === undefined
      ? checksOf(expectation, found)
      : [{ passed: false, expected: `a record that matches the check "${missing}"`, found: 'none found' }];
  const failed = results.filter(({ passed }) => !passed);
  const nearest = failed.some(({ tooFew }) => tooFew) ? nearestOf(where, evidence[that]()) : undefined;
  const records = failed.flatMap((check) => check.records ?? []);
  const ids = [...new Set(records.flatMap(({ ref }) => (typeof ref === 'string' ? [ref] : [])))];
  return {
    passed: failed.length === 0,
    at,
    that: describeSubject(expectation),
    ...(because !== undefined && { because }),
    expected: results.map((check) => check.expected).join('; '),
    found: [...new Set([...results.map((check) => check.found), nearest ?? []].flat())].join('; '),
    ...(ids.length > 0 && { records: ids.slice(0, MOST_RECORDS) }),
  };
}

/** Longer values of a near miss are truncated. */
const WIDEST_VALUES = 300;

/** Describes the record that violates the fewest conditions, if it meets at least one: others are of another kind. */
function nearestOf(where: Readonly<Record<string, Matcher>>, records: Iterable<EvidenceRecord>): string | undefined {
  const conditions = Object.entries(where).map(([name, matcher]) => ({
    name,
    fits: compileFields({ [name]: matcher }),
  }));
  let nearest: { record: EvidenceRecord; missed: readonly string[] } | undefined;
  let others = 0;
  for (const record of records) {
    const missed = conditions.filter(({ fits }) => !fits(record)).map(({ name }) => name);
    if (missed.length === 0) continue;
    others += 1;
    // Of equally close records, the latest, because the author has just tried it.
    if (nearest === undefined || missed.length <= nearest.missed.length) nearest = { record, missed };
  }
  if (nearest === undefined || nearest.missed.length === conditions.length) return undefined;
  const { record, missed } = nearest;
  const values = JSON.stringify(Object.fromEntries(missed.map((name) => [name, fieldOf(record, name) ?? null])));
  const shown = values.length > WIDEST_VALUES ? `${values.slice(0, WIDEST_VALUES)}…` : values;
  return `of ${others} other${others === 1 ? '' : 's'} the nearest has ${shown}`;
}

function describeSubject({ that, where, after, before, by }: Expectation): string {
  const conditions = [
    where === undefined ? '' : ` where ${JSON.stringify(where)}`,
    by === undefined ? '' : ` within ${by}`,
    after === undefined ? '' : ` after "${after}"`,
    before === undefined ? '' : ` before "${before}"`,
  ].join('');
  return `${that}${conditions}`;
}
