/** Matchers and matches, compiled once and asked often. */
import { ExpressionSet, compileRegex, MAX_TEXT_LENGTH, parseRegexLiteral, type Regex } from './regex.js';
import type { FactName, Facts } from '../language/hooks.js';
import type { Match, Matcher, TextMatcher, VariablesMatcher } from '../language/rules.js';

export type FactValue = string | number | boolean | null | undefined | readonly FactValue[];
export type Test = (value: FactValue) => boolean;
type TextTest = (text: string, value: FactValue) => boolean;

export interface MatcherOptions {
  /** For values that begin with a slash anyway (paths): a regex then needs its inner slashes escaped. */
  readonly slashesArePlain?: boolean;
  /** Default `compileRegex`. */
  readonly compile?: (source: string, flags: string) => Regex;
}

/**
 * A list of values fits when one of them does. A value that is not there fits `missing: true` alone (and `not`).
 * @throws RegexError for a regex that scenario files would not have let through.
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

/** Whether a text stands for a regex here, not for itself. */
export function isRegexText(text: string, options: MatcherOptions = {}): { source: string; flags: string } | undefined {
  const literal = parseRegexLiteral(text);
  if (literal === undefined || options.slashesArePlain !== true) return literal;
  return /(?:^|[^\\])\//.test(literal.source) ? undefined : literal;
}

/** Whether a text stands for itself: no glob, no regex, no class of statuses. */
export function isPlainText(text: string, options: MatcherOptions = {}): boolean {
  return !text.includes('*') && !statusClass.test(text) && isRegexText(text, options) === undefined;
}

/** `4xx` */
const statusClass = /^[1-5]xx$/i;

function compileText(matcher: string, options: MatcherOptions): TextTest {
  const { compile = compileRegex } = options;
  const literal = isRegexText(matcher, options);
  if (literal !== undefined) {
    const regex = compile(literal.source, literal.flags);
    return (text) => regex.test(text);
  }
  if (statusClass.test(matcher)) {
    // `4xx` is a class of HTTP statuses for numbers, and itself for texts.
    const hundred = matcher.charAt(0);
    return (text, value) =>
      typeof value === 'number' ? text.length === 3 && text.startsWith(hundred) : text === matcher;
  }
  return matcher.includes('*') ? compileGlob(matcher) : (text) => text === matcher;
}

function compileConditions(matcher: TextMatcher, options: MatcherOptions): Test {
  const tests: Test[] = [];
  const { contains, equals, matches, missing, not, any, min, max } = matcher;
  if (missing !== undefined) tests.push((value) => isMissing(value) === missing);
  if (equals !== undefined) tests.push(onEach((text) => text === equals));
  if (contains !== undefined) tests.push(onEach((text) => text.includes(contains)));
  if (matches !== undefined) {
    const { source, flags } = isRegexText(matches, options) ?? { source: matches, flags: '' };
    const regex = (options.compile ?? compileRegex)(source, flags);
    tests.push(onEach((text) => regex.test(text), MAX_TEXT_LENGTH));
  }
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

/** @param longest characters of a list that are looked at, over all of its values */
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

/** Whether facts fit. The account is handed in beside them, so that nobody copies facts that are worked out when looked at. */
export type MatchTest = (facts: Facts, account?: string) => boolean;

/**
 * All the named facts fit, `not` does not, and of `any` at least one does. Without conditions everything fits.
 * @param expressions those of the rules that are compiled together
 */
export function compileMatch(match: Match | undefined, expressions = new ExpressionSet()): MatchTest {
  if (match === undefined) return () => true;
  const { not, any, batch, variables, account, text, ...rest } = match;
  const compile = (name: string, matcher: Matcher): Test =>
    compileMatcher(matcher, {
      slashesArePlain: name === 'path',
      compile: (source, flags) => expressions.compile(name, source, flags),
    });
  const tests: MatchTest[] = [];
  if (account !== undefined) {
    const test = compile('account', account);
    tests.push((facts, key) => test(key ?? facts.account));
  }
  if (batch !== undefined) tests.push((facts) => (facts.batch ?? false) === batch);
  // The text of a message is put together when a rule first looks at it, so it is looked at last.
  const named = Object.entries(text === undefined ? rest : { ...rest, text }) as [FactName, Matcher][];
  for (const [name, matcher] of named) {
    const test = compile(name, matcher);
    tests.push((facts) => test(facts[name]));
  }
  if (variables !== undefined) tests.push(compileVariables(variables, compile));
  if (any !== undefined) {
    const some = any.map((one) => compileMatch(one, expressions));
    tests.push((facts, key) => some.some((test) => test(facts, key)));
  }
  if (not !== undefined) {
    const test = compileMatch(not, expressions);
    tests.push((facts, key) => !test(facts, key));
  }
  const [only] = tests;
  return only !== undefined && tests.length === 1 ? only : (facts, key) => tests.every((test) => test(facts, key));
}

/** Conditions by number look at that variable; any other matcher at all of them. */
function compileVariables(
  matcher: Matcher | VariablesMatcher,
  compile: (name: string, matcher: Matcher) => Test,
): MatchTest {
  if (!isByNumber(matcher)) {
    const test = compile('variables', matcher);
    return ({ variables }) => test(variables);
  }
  const tests = Object.entries(matcher).map(([number, one]) => ({
    index: Number(number) - 1,
    test: compile(`variables ${number}`, one),
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

/** Steps that the expressions of these matches can take together for one call. */
export function expressionSteps(matches: Iterable<Match | undefined>): number {
  const expressions = new ExpressionSet();
  for (const match of matches) compileMatch(match, expressions);
  return expressions.steps;
}

/** Globs: `*` stands for any characters, none included; nothing else is special. */

/** Compares piece by piece from the left: no backtracking, so no text can make it slow. */
export function compileGlob(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  const middle = rest.filter((piece) => piece !== '');
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let from = first.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, from);
      if (found === -1 || found + piece.length > end) return false;
      from = found + piece.length;
    }
    return true;
  };
}
