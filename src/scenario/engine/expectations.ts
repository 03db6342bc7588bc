/** Judging what the application under test did. */
import { ExpressionSet, MAX_TEXT_LENGTH } from './regex.js';
import { compileMatcher, type FactValue, type Test } from './matchers.js';
import { parseOffset } from './ranges.js';
import { languageKey } from '../../domain/template.js';
import type { ExpectSubject, Expectation } from '../language/expectations.js';
import type { Matcher } from '../language/rules.js';

/** A record as a plain object with the fields listed in `FIELDS_BY_SUBJECT`. */
export type EvidenceRecord = Readonly<Record<string, unknown>>;

/** What happened so far, each kind in the order in which it happened. */
export type Evidence = { readonly [S in ExpectSubject]: () => readonly EvidenceRecord[] };

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

/** Judges one expectation on the evidence of this moment. Pure: what was found is only read. */
export function judge(expectation: Expectation, evidence: Evidence): Judgement {
  const { at, that, where = {} } = expectation;
  const records = evidence[that]();
  const found = records.filter(compileFields(where));
  const checks = JUDGES.flatMap((judgeOne) => judgeOne(expectation, found) ?? []);
  const passed = checks.every((check) => check.passed);
  const tooFew = checks.some((check) => check.tooFew === true && !check.passed);
  const nearest = tooFew ? describeNearest(where, records) : undefined;
  return {
    passed,
    at,
    that: describeSubject(expectation),
    expected: checks.map((check) => check.expected).join('; '),
    found: [...new Set([...checks.map((check) => check.found), ...(nearest === undefined ? [] : [nearest])])].join(
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

function repeats(most: number, that: ExpectSubject, found: readonly EvidenceRecord[]): Check {
  const identities = found.map((record) => JSON.stringify(IDENTITY[that].map((name) => fieldOf(record, name) ?? null)));
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

function compileFields(
  fields: Readonly<Record<string, Matcher>>,
  expressions = new ExpressionSet(),
): (record: EvidenceRecord) => boolean {
  const tests = Object.entries(fields).map(([name, matcher]): [string, Test] => [
    name,
    compileMatcher(matcher, {
      slashesArePlain: name === 'path',
      ...(name === 'language' && { fold: languageKey }),
      compile: (source, flags) => expressions.compile(name, source, flags),
    }),
  ]);
  return (record) => tests.every(([name, test]) => test(asFact(fieldOf(record, name))));
}

/** A dotted name reaches inside; a field that holds an object with a `code` is compared by it, as `error` is. */
function fieldOf(record: EvidenceRecord, name: string): unknown {
  let value: unknown = record;
  for (const part of name.split('.')) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as EvidenceRecord)[part]
        : undefined;
  }
  return value;
}

function asFact(value: unknown): FactValue {
  if (Array.isArray(value)) return value.map(asFact);
  if (typeof value === 'object' && value !== null) return 'code' in value ? asFact(value.code) : JSON.stringify(value);
  return value as FactValue;
}

function describeSubject({ that, where, because }: Expectation): string {
  const conditions = where === undefined ? '' : ` where ${JSON.stringify(where)}`;
  return because === undefined ? `${that}${conditions}` : `${that}${conditions}: ${because}`;
}
