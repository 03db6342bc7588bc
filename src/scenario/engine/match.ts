/** Compiles matchers and matches to functions. */
import { languageKey } from '../../domain/template.js';
import type { Facts } from '../schema/hooks.js';
import type { CustomerMatcher, Match, Matcher, TextMatcher, VariablesMatcher } from '../schema/match.js';
import { compileGlob, compileRegex, isRegexText, MAX_TEXT_LENGTH } from '../schema/regex.js';

export type FactValue = string | number | boolean | null | undefined | readonly FactValue[];
export type Test = (value: FactValue) => boolean;
type TextTest = (text: string, value: FactValue) => boolean;

export interface MatcherOptions {
  /** For paths, which always start with a slash: inner slashes of a regex must then be escaped. */
  readonly slashesArePlain?: boolean;
  /** Normalises texts before a comparison. Regular expressions see the original text. */
  readonly fold?: (text: string) => string;
}

/**
 * A list of values matches if one of them does. An absent value matches only `missing: true` and `not`.
 * @throws RegexError for a regex that scenario files do not allow
 */
export function compileMatcher(matcher: Matcher, options: MatcherOptions = {}): Test {
  if (typeof matcher === 'string') {
    const longest = isRegexText(matcher, options) === undefined ? Infinity : MAX_TEXT_LENGTH;
    return onEach(compileText(matcher, options), longest);
  }
  if (Array.isArray(matcher)) {
    const tests = matcher.map((one) => compileMatcher(one, options));
    return (value) => tests.some((test) => test(value));
  }
  return compileConditions(matcher, options);
}

/** Returns whether a text is not a glob, a regex or a class of statuses. */
export function isPlainText(text: string, options: MatcherOptions = {}): boolean {
  return !text.includes('*') && !statusClass.test(text) && isRegexText(text, options) === undefined;
}

/** `4xx` */
const statusClass = /^[1-5]xx$/i;

function compileText(matcher: string, options: MatcherOptions): TextTest {
  const literal = isRegexText(matcher, options);
  if (literal !== undefined) {
    const regex = compileRegex(literal.source, literal.flags);
    return (text) => regex.test(text);
  }
  if (statusClass.test(matcher)) {
    // `4xx` is a class of HTTP statuses for numbers, and a plain text for texts.
    const hundred = matcher.charAt(0);
    return (text, value) =>
      typeof value === 'number' ? text.length === 3 && text.startsWith(hundred) : text === matcher;
  }
  const { fold = same } = options;
  const wanted = fold(matcher);
  const test = wanted.includes('*') ? compileGlob(wanted) : (text: string) => text === wanted;
  return (text) => test(fold(text));
}

const same = (text: string): string => text;

function compileConditions(matcher: TextMatcher, options: MatcherOptions): Test {
  const tests: Test[] = [];
  const { contains, missing, not, any, min, max } = matcher;
  if (missing !== undefined) tests.push((value) => isMissing(value) === missing);
  const { fold = same } = options;
  if (contains !== undefined) tests.push(onEach((text) => fold(text).includes(fold(contains))));
  if (min !== undefined || max !== undefined) {
    tests.push(onEach((_text, value) => inside(Number(value), min ?? -Infinity, max ?? Infinity)));
  }
  if (any !== undefined) tests.push(compileMatcher(any, options));
  if (not !== undefined) {
    const test = compileMatcher(not, options);
    tests.push((value) => !test(value));
  }
  return (value) => tests.every((test) => test(value));
}

/** @param longest most characters of a list that are tested, over all of its values */
function onEach(test: TextTest, longest = Infinity): Test {
  const judge = (value: FactValue): boolean => {
    if (value === undefined || value === null) return false;
    if (typeof value === 'string') return test(value, value);
    if (!Array.isArray(value)) return test(String(value), value);
    let left = longest;
    return (value as readonly FactValue[]).some((one) => {
      const isSeen = left > 0;
      left -= String(one).length + 1;
      return isSeen && judge(one);
    });
  };
  return judge;
}

function isMissing(value: FactValue): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function inside(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

/** Compiles the condition on a fact or field of this name. */
export function compileNamed(name: string, matcher: Matcher): Test {
  return compileMatcher(matcher, {
    slashesArePlain: name === 'path',
    ...(name === 'language' && { fold: languageKey }),
  });
}

/** History between the account and the customer of a call. */
export interface CustomerMemory {
  /** Texts of the customer, the latest first. */
  readonly said: () => readonly string[];
  readonly lastStatus: () => string | undefined;
  readonly sends: () => number;
  /** Whether a rule has applied to the customer. */
  readonly hasMet: (ruleId: string) => boolean;
}

export interface Around {
  /** The fact `account`, for all of an account's calls. */
  readonly account?: string;
  /** Absent if the call has no customer. */
  readonly customer?: CustomerMemory | undefined;
}

/** Returns whether facts match. `around` is separate, because copying would evaluate facts that are computed on demand. */
export type MatchTest = (facts: Facts, around?: Around) => boolean;

/**
 * Matches if all named facts match, `not` does not, and at least one of `any` does. Without conditions, everything matches.
 */
export function compileMatch(match: Match | undefined): MatchTest {
  if (match === undefined) return () => true;
  const { not, any, batch, variables, account, customer, after, text, ...rest } = match;
  const tests: MatchTest[] = [];
  if (account !== undefined) {
    const test = compileNamed('account', account);
    tests.push((facts, around) => test(around?.account ?? facts.account));
  }
  if (batch !== undefined) tests.push((facts) => (facts.batch ?? false) === batch);
  // The text of a message is built on demand, so it is tested last.
  const named = Object.entries(text === undefined ? rest : { ...rest, text }) as [keyof Facts, Matcher][];
  for (const [name, matcher] of named) {
    const test = compileNamed(name, matcher);
    tests.push((facts) => test(facts[name]));
  }
  if (variables !== undefined) tests.push(compileVariables(variables));
  if (after !== undefined) tests.push((_facts, around) => around?.customer?.hasMet(after) === true);
  if (customer !== undefined) tests.push(compileCustomer(customer));
  if (any !== undefined) {
    const some = any.map((one) => compileMatch(one));
    tests.push((facts, around) => some.some((test) => test(facts, around)));
  }
  if (not !== undefined) {
    const test = compileMatch(not);
    tests.push((facts, around) => !test(facts, around));
  }
  const [only] = tests;
  return only !== undefined && tests.length === 1
    ? only
    : (facts, around) => tests.every((test) => test(facts, around));
}

/** Compiles conditions on the history of a customer; the cheapest lookup comes first. */
function compileCustomer({ said, last_status, sends }: CustomerMatcher): MatchTest {
  const saidFits = said === undefined ? undefined : compileNamed('said', said);
  const statusFits = last_status === undefined ? undefined : compileNamed('last_status', last_status);
  const sendsFit = sends === undefined ? undefined : compileNamed('sends', sends);
  return (_facts, { customer } = {}) =>
    customer !== undefined &&
    sendsFit?.(customer.sends()) !== false &&
    statusFits?.(customer.lastStatus()) !== false &&
    saidFits?.(customer.said()) !== false;
}

/** Returns the ids that a match names by `after`. */
export function rulesBefore(match: Match | undefined): string[] {
  if (match === undefined) return [];
  return [
    ...(match.after === undefined ? [] : [match.after]),
    ...[match.not, ...(match.any ?? [])].flatMap(rulesBefore),
  ];
}

/** Conditions by number test that variable; any other matcher tests all of them. */
function compileVariables(matcher: Matcher | VariablesMatcher): MatchTest {
  if (!isByNumber(matcher)) {
    const test = compileNamed('variables', matcher);
    return ({ variables }) => test(variables);
  }
  const tests = Object.entries(matcher).map(([number, one]) => ({
    index: Number(number) - 1,
    test: compileNamed(`variables ${number}`, one),
  }));
  return ({ variables }) => {
    const values = Array.isArray(variables) ? (variables as readonly string[]) : [];
    return tests.every(({ index, test }) => test(values[index]));
  };
}

function isByNumber(matcher: Matcher | VariablesMatcher): matcher is VariablesMatcher {
  return (
    typeof matcher === 'object' && !Array.isArray(matcher) && Object.keys(matcher).some((key) => /^\d+$/.test(key))
  );
}
