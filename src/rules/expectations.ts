import { counted } from '../domain/text.js';
import type { Expectation } from '../language/expect.js';
import type { ExpectSubject } from '../language/hooks.js';
import type { Matcher } from '../language/match.js';
import { compileFields, fieldOf, select, type Evidence, type EvidenceRecord, type Surroundings } from './evidence.js';
import { nouns, sayRecord, statusOf } from './say-record.js';
import { spaced } from './spacing.js';
import { firstOffsetMs } from './timeline.js';
import { formatDuration } from '../time/duration.js';

export interface Judgement {
  readonly passed: boolean;
  readonly at: string;
  readonly that: string;
  readonly because?: string;
  readonly expected: string;
  readonly found: string;
  readonly too_few?: true;
  /** The number is limited to `MOST_RECORDS`; omitted if there are none. */
  readonly records?: readonly SaidRecord[];
}

export interface SaidRecord {
  readonly id: string;
  readonly text: string;
}

/** The first few records explain a check that fails for hundreds. */
export const MOST_RECORDS = 10;

/** Milliseconds from activation; null for `finish`. */
export function judgementOffsetMs({ at }: Pick<Expectation, 'at'>, activatedAtMs: number): number | null {
  return at === 'finish' ? null : firstOffsetMs(at, activatedAtMs);
}

/** An offset, or `finish`. */
export function placeOfCheck(expectation: Pick<Expectation, 'at'>, activatedAtMs: number): string {
  const { at } = expectation;
  return typeof at === 'string' ? at : `+${formatDuration(judgementOffsetMs(expectation, activatedAtMs) ?? 0)}`;
}

export function findsRecord(expectation: Expectation, evidence: Evidence, around: Surroundings): boolean {
  return select(expectation, evidence, around).found.length > 0;
}

export function judge(
  expectation: Expectation,
  evidence: Evidence,
  around: Surroundings = { checks: [], activatedAtMs: 0 },
): Judgement {
  const { that, where = {}, because } = expectation;
  const { activatedAtMs } = around;
  const { all, found, missing } = select(expectation, evidence, around);
  const results: Check[] =
    missing === undefined
      ? checksOf(expectation, found, activatedAtMs)
      : [{ passed: false, expected: awaited(missing, around), found: 'none' }];
  const failed = results.filter(({ passed }) => !passed);
  const isTooFew = missing !== undefined || failed.some(({ tooFew }) => tooFew);
  const say = (record: EvidenceRecord) => sayRecord(that, record, around.activatedAtMs);
  const nearest = isTooFew && missing === undefined ? nearestOf(where, all, found, say, activatedAtMs) : undefined;
  const records = failed.flatMap((check) => check.records ?? []);
  const said = new Map(
    records.flatMap((record) => {
      const { ref } = record;
      return typeof ref === 'string' ? [[`${ref} ${String(record['number'])}`, { id: ref, text: say(record) }]] : [];
    }),
  );
  return {
    passed: failed.length === 0,
    at: placeOfCheck(expectation, activatedAtMs),
    that: describeSubject(expectation),
    ...(because !== undefined && { because }),
    expected: results.map((check) => check.expected).join('; '),
    found: [...new Set([...results.map((check) => check.found), nearest ?? []].flat())].join('; '),
    ...(isTooFew && { too_few: true }),
    ...(said.size > 0 && { records: [...said.values()].slice(0, MOST_RECORDS) }),
  };
}

function awaited(missing: string, { checks }: Surroundings): string {
  const isCheck = checks.some(({ id }) => id === missing);
  return isCheck ? `a record that matches the check "${missing}"` : `the step "${missing}" of the timeline`;
}

/** Longer values of a near miss are truncated. */
const WIDEST_VALUES = 300;

/** Conditions that say whom or what a record is about: a record that does not meet one of them is further away. */
const DECISIVE = ['direction', 'operation', 'to', 'from', 'event', 'alias', 'template', 'name', 'type'];
const DECISIVE_WEIGHT = 10;

/**
 * Prefers a record that meets the conditions at another time; else the record that violates the fewest conditions, if
 * it meets at least one.
 */
function nearestOf(
  where: Readonly<Record<string, Matcher>>,
  records: readonly EvidenceRecord[],
  found: readonly EvidenceRecord[],
  say: (record: EvidenceRecord) => string,
  startMs: number,
): string | undefined {
  const conditions = Object.entries(where).map(([name, matcher]) => ({
    name,
    weight: DECISIVE.includes(name) ? DECISIVE_WEIGHT : 1,
    fits: compileFields({ [name]: matcher }, startMs),
  }));
  let nearest: { record: EvidenceRecord; missed: readonly string[]; distance: number } | undefined;
  let others = 0;
  for (const record of records) {
    if (found.includes(record)) continue;
    const missed = conditions.filter(({ fits }) => !fits(record));
    others += 1;
    const distance = missed.reduce((sum, { weight }) => sum + weight, 0);
    // Of equally close records, the latest, because the author has just tried it.
    if (nearest === undefined || distance <= nearest.distance)
      nearest = { record, missed: missed.map(({ name }) => name), distance };
  }
  if (nearest === undefined) return undefined;
  const { record, missed } = nearest;
  if (missed.length === 0) return `at another time: ${say(record)}`;
  if (missed.length === conditions.length) return undefined;
  return `of ${others} other${others === 1 ? '' : 's'} the nearest has ${valuesOf(record, missed)} (${say(record)})`;
}

/** A missing status is replaced by its reason. */
function valuesOf(record: EvidenceRecord, names: readonly string[]): string {
  const values = names.map((name) => {
    const value = fieldOf(record, name) ?? null;
    return [name, name === 'status' && value === null ? statusOf(record) : value] as const;
  });
  const shown = JSON.stringify(Object.fromEntries(values));
  return shown.length > WIDEST_VALUES ? `${shown.slice(0, WIDEST_VALUES)}…` : shown;
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

interface Check {
  readonly passed: boolean;
  readonly expected: string;
  readonly found: string;
  readonly tooFew?: boolean;
  readonly records?: readonly EvidenceRecord[];
}

function checksOf(expectation: Expectation, found: readonly EvidenceRecord[], startMs: number): Check[] {
  const { that, count, min, max, has, in_order, duplicate, spacing } = expectation;
  const noun = nouns[that];
  return [
    count === undefined ? [] : amount(count, 'exactly', noun, found, found.length === count),
    min === undefined ? [] : amount(min, 'at least', noun, found, found.length >= min),
    max === undefined ? [] : amount(max, 'at most', noun, found, found.length <= max),
    has === undefined ? [] : everyOne(has, found, startMs),
    in_order === undefined ? [] : inOrder(in_order, found, startMs),
    duplicate === undefined ? [] : withoutDuplicates(duplicate, that, found),
    spacing === undefined ? [] : spaced(spacing, found, (record) => identityOf(that, record)),
  ].flat();
}

function amount(wanted: number, words: string, noun: string, found: readonly EvidenceRecord[], passed: boolean): Check {
  return {
    passed,
    expected: `${words} ${wanted}`,
    found: counted(found.length, noun),
    tooFew: found.length < wanted,
    records: found.slice(wanted),
  };
}

/** Fails if nothing was found, because no record proves nothing. */
function everyOne(fields: Record<string, Matcher>, found: readonly EvidenceRecord[], startMs: number): Check {
  const expected = `all have ${JSON.stringify(fields)}`;
  const fits = compileFields(fields, startMs);
  if (found.length === 0) return { passed: false, expected, found: 'none', tooFew: true };
  const failing = found.filter((record) => !fits(record));
  const [first] = failing;
  if (first === undefined) return { passed: true, expected, found: `all ${found.length} do` };
  return {
    passed: false,
    expected,
    found: `${failing.length} of ${found.length} do not, the first has ${valuesOf(first, Object.keys(fields))}`,
    records: failing,
  };
}

function inOrder(steps: readonly Record<string, Matcher>[], found: readonly EvidenceRecord[], startMs: number): Check {
  const tests = steps.map((step) => compileFields(step, startMs));
  let met = 0;
  for (const record of found) {
    if (tests[met]?.(record) === true) met += 1;
  }
  const passed = met === steps.length;
  return {
    passed,
    expected: `in this order: ${steps.map((step) => JSON.stringify(step)).join(', ')}`,
    found: passed ? 'all in this order' : `the first ${met} of ${steps.length}, then no ${JSON.stringify(steps[met])}`,
  };
}

/** The fields by which two records count as the same thing twice. */
const IDENTITY: Readonly<Record<ExpectSubject, readonly string[]>> = {
  requests: ['method', 'path', 'request.body'],
  webhooks: ['url'],
  attempts: ['url', 'event_id'],
  deliveries: ['url', 'event_id'],
  messages: ['direction', 'to', 'type', 'text', 'template', 'language', 'variables', 'media_url', 'interactive'],
  sent: ['to', 'type', 'text', 'template', 'language', 'variables', 'media_url', 'interactive'],
  received: ['from', 'type', 'text', 'media_url', 'interactive'],
  templates: ['name'],
  otps: ['to'],
  events: ['type', 'data'],
};

function identityOf(that: ExpectSubject, record: EvidenceRecord): string {
  return JSON.stringify(IDENTITY[that].map((name) => fieldOf(record, name) ?? null));
}

function withoutDuplicates(most: number, that: ExpectSubject, found: readonly EvidenceRecord[]): Check {
  const seen = new Set<string>();
  const repeated = found.filter((record) => {
    const identity = identityOf(that, record);
    return seen.has(identity) || !seen.add(identity);
  });
  return {
    passed: repeated.length <= most,
    expected: `${most === 0 ? 'no' : `at most ${most}`} duplicates (same ${IDENTITY[that].join(', ')})`,
    found: `${counted(repeated.length, 'duplicate')} among ${found.length}`,
    records: repeated.slice(most),
  };
}
