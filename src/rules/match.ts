import { languageKey } from '../domain/template.js';
import type { Facts, Match, Matcher, TextMatcher } from '../language/match.js';
import { compileGlob, compileRegex, isRegexText } from '../language/regex.js';

export type FactValue = string | number | boolean | null | undefined | readonly FactValue[];
export type Test = (value: FactValue) => boolean;
type TextTest = (text: string, value: FactValue) => boolean;

export interface MatcherOptions {
  /** For paths, which always start with a slash: inner slashes of a regex must then be escaped. */
  readonly slashesArePlain?: boolean;
  /** Normalises texts before a comparison. Regular expressions see the original text. */
  readonly fold?: (text: string) => string;
}

/** A list of values matches if one of them does. An absent value matches only `not`. */
export function compileMatcher(matcher: Matcher, options: MatcherOptions = {}): Test {
  if (typeof matcher === 'string') return onEach(compileText(matcher, options));
  if (Array.isArray(matcher)) {
    const tests = matcher.map((one) => compileMatcher(one, options));
    return (value) => tests.some((test) => test(value));
  }
  return compileConditions(matcher, options);
}

export function isPlainText(text: string, options: MatcherOptions = {}): boolean {
  return !text.includes('*') && !statusClass.test(text) && isRegexText(text, options) === undefined;
}

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

function compileConditions({ not, min, max }: TextMatcher, options: MatcherOptions): Test {
  const tests: Test[] = [];
  if (min !== undefined || max !== undefined) {
    tests.push(onEach((_text, value) => Number(value) >= (min ?? -Infinity) && Number(value) <= (max ?? Infinity)));
  }
  if (not !== undefined) {
    const test = compileMatcher(not, options);
    tests.push((value) => !test(value));
  }
  return (value) => tests.every((test) => test(value));
}

function onEach(test: TextTest): Test {
  const judge = (value: FactValue): boolean => {
    if (value === undefined || value === null) return false;
    if (typeof value === 'string') return test(value, value);
    return Array.isArray(value) ? (value as readonly FactValue[]).some(judge) : test(String(value), value);
  };
  return judge;
}

export function compileNamed(name: string, matcher: Matcher): Test {
  return compileMatcher(matcher, {
    slashesArePlain: name === 'path' || name === 'url',
    ...(name === 'language' && { fold: languageKey }),
  });
}

export type MatchTest = (facts: Facts) => boolean;

/** Without conditions, everything matches. */
export function compileMatch(match: Match | undefined): MatchTest {
  const { not, text, ...rest } = match ?? {};
  // The text of a message is built on demand, so it is tested last.
  const named = Object.entries(text === undefined ? rest : { ...rest, text }) as [keyof Facts, Matcher][];
  const tests = named.map(([name, matcher]): MatchTest => {
    const test = compileNamed(name, matcher);
    return (facts) => test(facts[name]);
  });
  if (not !== undefined) {
    const test = compileMatch(not);
    tests.push((facts) => !test(facts));
  }
  return (facts) => tests.every((test) => test(facts));
}
