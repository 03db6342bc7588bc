/** Judging what the application under test did. */
import { compileFields, fieldOf, momentOf, select, type Evidence, type EvidenceRecord } from './evidence.js';
import { ExpressionSet, MAX_TEXT_LENGTH } from './regex.js';
import { parseOffset } from './ranges.js';
import { formatDuration, parseDuration } from '../../time/duration.js';
import type { ExpectSubject, Expectation, Spacing } from '../language/expectations.js';
import type { Matcher } from '../language/rules.js';

export interface Judgement {
  readonly passed: boolean;
  readonly at: string;
  readonly that: string;
  /** What had to be, in words. */
  readonly expected: string;
  /** What was, in words. */
  readonly found: string;
}

/** The instant of judgement in milliseconds from activation; null for `finish`. */
export function judgementOffsetMs({ at }: Expectation): number | null {
  return at === 'finish' ? null : parseOffset(at);
}

/** What an expectation may refer to. */
export interface Surroundings {
  /** All checks of the scenario, for those that name another one. */
  readonly checks?: readonly Expectation[];
  /** Account time from which `within` counts where no other check is named. */
  readonly activatedAtMs?: number;
}

/** Judges one expectation on the evidence of this moment. Pure: what was found is only read. */
export function judge(expectation: Expectation, evidence: Evidence, around: Surroundings = {}): Judgement {
  const { at, that, where = {} } = expectation;
  const { checks = [], activatedAtMs = 0 } = around;
  const { found, missing } = select(expectation, evidence, { checks, activatedAtMs });
  const results =
    missing === undefined
      ? JUDGES.flatMap((judgeOne) => judgeOne(expectation, found) ?? [])
      : [{ passed: false, expected: `something that the check "${missing}" is about`, found: 'none found' }];
  const passed = results.every((check) => check.passed);
  const tooFew = results.some((check: Check) => check.tooFew === true && !check.passed);
  const nearest = tooFew ? describeNearest(where, evidence[that]()) : undefined;
  return {
    passed,
    at,
    that: describeSubject(expectation),
    expected: results.map((check) => check.expected).join('; '),
    found: [...new Set([...results.map((check) => check.found), ...(nearest === undefined ? [] : [nearest])])].join(
      '; ',
    ),
  };
}

/** Longer values of a near miss are cut. */
const WIDEST_VALUES = 300;

/** Of the records that do not meet all conditions, the one that misses fewest, and what it has instead. */
function describeNearest(where: Readonly<Record<string, Matcher>>, records: readonly EvidenceRecord[]) {
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
    // Of equals the latest, which is what the author has just tried.
    if (nearest === undefined || missed.length <= nearest.missed.length) nearest = { record, missed };
  }
  if (nearest === undefined) return undefined;
  const { record, missed } = nearest;
  const values = JSON.stringify(Object.fromEntries(missed.map((name) => [name, fieldOf(record, name) ?? null])));
  const shown = values.length > WIDEST_VALUES ? `${values.slice(0, WIDEST_VALUES)}…` : values;
  return `of ${others} other${others === 1 ? '' : 's'} the nearest has ${shown}`;
}

interface Check {
  readonly passed: boolean;
  readonly expected: string;
  readonly found: string;
  /** Whether more records would help. */
  readonly tooFew?: boolean;
}
type Judge = (expectation: Expectation, found: readonly EvidenceRecord[]) => Check | undefined;

const JUDGES: readonly Judge[] = [
  ({ count }, found) => amount(count, `exactly ${count ?? 0}`, found, (n, wanted) => n === wanted),
  ({ min }, found) => amount(min, `at least ${min ?? 0}`, found, (n, wanted) => n >= wanted),
  ({ max }, found) => amount(max, `at most ${max ?? 0}`, found, (n, wanted) => n <= wanted),
  ({ has }, found) => (has === undefined ? undefined : everyOne(has, found)),
  ({ in_order }, found) => (in_order === undefined ? undefined : inOrder(in_order, found)),
  ({ answered }, found) =>
    answered === undefined
      ? undefined
      : everyOne({ status: answered }, found, `answered ${[answered].flat().join(' or ')}`),
  ({ duplicates, that }, found) => (duplicates === undefined ? undefined : repeats(duplicates, that, found)),
  ({ spacing, that }, found) => (spacing === undefined ? undefined : spaced(spacing, that, found)),
];

function amount(
  wanted: number | undefined,
  expected: string,
  found: readonly EvidenceRecord[],
  holds: (n: number, wanted: number) => boolean,
): Check | undefined {
  return wanted === undefined
    ? undefined
    : {
        passed: holds(found.length, wanted),
        expected,
        found: `${found.length} found`,
        tooFew: found.length < wanted,
      };
}

/** Nothing found is no proof, so it fails. */
function everyOne(fields: Record<string, Matcher>, found: readonly EvidenceRecord[], words?: string): Check {
  const fits = compileFields(fields);
  const expected = words ?? `every one has ${JSON.stringify(fields)}`;
  if (found.length === 0) return { passed: false, expected, found: 'none found', tooFew: true };
  const failing = found.filter((record) => !fits(record));
  const [first] = failing;
  if (first === undefined) return { passed: true, expected, found: `all ${found.length} do` };
  const values = Object.fromEntries(Object.keys(fields).map((name) => [name, fieldOf(first, name)]));
  return {
    passed: false,
    expected,
    found: `${failing.length} of ${found.length} do not, the first has ${JSON.stringify(values)}`,
  };
}

function inOrder(steps: readonly Record<string, Matcher>[], found: readonly EvidenceRecord[]): Check {
  const tests = steps.map((step) => compileFields(step));
  let met = 0;
  for (const record of found) {
    if (tests[met]?.(record) === true) met += 1;
  }
  const passed = met === steps.length;
  const expected = `in this order: ${steps.map((step) => JSON.stringify(step)).join(', ')}`;
  return {
    passed,
    expected,
    found: passed ? 'all in this order' : `${met} of them, then no ${JSON.stringify(steps[met])}`,
  };
}

/** What makes two records the same thing twice. */
const IDENTITY: Readonly<Record<ExpectSubject, readonly string[]>> = {
  requests: ['method', 'path', 'request.body'],
  webhooks: ['url'],
  attempts: ['url', 'event_id'],
  deliveries: ['url', 'event_id'],
  messages: ['direction', 'to', 'type', 'text', 'template', 'language', 'variables', 'media_url', 'interactive'],
  templates: ['name'],
  otps: ['to'],
  events: ['type', 'data'],
};

/** Timers of clients, and the way to us, are not exact to the millisecond. */
const GRACE_MS = 20;

/**
 * Gaps between each record and the one before it. By `retry_after`, the gap of a request to the earlier one that it repeats
 * and that was answered with Retry-After.
 */
function spaced({ min, max }: Spacing, that: ExpectSubject, found: readonly EvidenceRecord[]): Check {
  const asked = new Map<string, { readonly fromMs: number; readonly waitMs: number }>();
  const minMs = min === undefined || min === 'retry_after' ? 0 : parseDuration(min);
  const maxMs = max === undefined ? Infinity : parseDuration(max);
  const wrong: { gapMs: number; wantedMs: number }[] = [];
  found.forEach((record, index) => {
    const { atMs } = momentOf(record);
    const before = found[index - 1];
    const gapMs = before === undefined ? undefined : atMs - momentOf(before).atMs;
    if (gapMs !== undefined && (gapMs + GRACE_MS < minMs || gapMs > maxMs)) wrong.push({ gapMs, wantedMs: minMs });
    if (min !== 'retry_after') return;
    const identity = identityOf(that, record);
    const last = asked.get(identity);
    if (last && atMs - last.fromMs + GRACE_MS < last.waitMs) {
      wrong.push({ gapMs: atMs - last.fromMs, wantedMs: last.waitMs });
    }
    const seconds = retryAfterOf(record);
    if (Number.isFinite(seconds)) asked.set(identity, { fromMs: atMs, waitMs: seconds * 1000 });
    else asked.delete(identity);
  });
  const expected = [
    ...(min === undefined
      ? []
      : [`at least ${min === 'retry_after' ? 'as long apart as Retry-After says' : `${min} apart`}`]),
    ...(max === undefined ? [] : [`at most ${max} apart`]),
  ].join(', ');
  const [first] = wrong;
  if (first === undefined) return { passed: true, expected, found: `all ${found.length} are` };
  const instead = min === 'retry_after' ? ` instead of ${formatDuration(first.wantedMs)}` : '';
  return {
    passed: false,
    expected,
    found: `${wrong.length} are not, the first comes after ${formatDuration(first.gapMs)}${instead}`,
  };
}

/** In seconds; NaN where the answer has no such header. */
function retryAfterOf(record: EvidenceRecord): number {
  const headers = Object.entries((fieldOf(record, 'response.headers') ?? {}) as Record<string, unknown>);
  return Number(headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1] ?? NaN);
}

function identityOf(that: ExpectSubject, record: EvidenceRecord): string {
  return JSON.stringify(IDENTITY[that].map((name) => fieldOf(record, name) ?? null));
}

function repeats(most: number, that: ExpectSubject, found: readonly EvidenceRecord[]): Check {
  const identities = found.map((record) => identityOf(that, record));
  const count = found.length - new Set(identities).size;
  const by = IDENTITY[that].join(', ');
  return {
    passed: count <= most,
    expected: `at most ${most} that repeat an earlier one (same ${by})`,
    found: `${count} repeated of ${found.length}`,
  };
}

/** Steps that the expressions of an expectation can take for one record. */
export function expectationSteps({ where = {}, has = {}, in_order = [] }: Partial<Expectation>): number {
  const expressions = new ExpressionSet(() => MAX_TEXT_LENGTH);
  for (const fields of [where, has, ...in_order]) compileFields(fields, expressions);
  return expressions.steps;
}

function describeSubject({ that, where, because, after, before, within }: Expectation): string {
  const conditions = [
    where === undefined ? '' : ` where ${JSON.stringify(where)}`,
    within === undefined ? '' : ` within ${within}`,
    after === undefined ? '' : ` after "${after}"`,
    before === undefined ? '' : ` before "${before}"`,
  ].join('');
  return because === undefined ? `${that}${conditions}` : `${that}${conditions}: ${because}`;
}
