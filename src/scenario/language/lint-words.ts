/** Conditions that can never hold, because what they look at is never like that: lints (contract §5, never-hit rules). */
import { templateNameForm } from '../../domain/template.js';
import { factsLacking, fitsSome, wordsOfFact, type Words } from './known-words.js';
import type { Warn } from './lint-rule.js';
import { literals } from './lint-names.js';
import { compileMatcher, isPlainText } from '../engine/matchers.js';
import { parseRegexLiteral } from '../engine/regex.js';
import type { FactName, Hook } from './hooks.js';
import type { Match, Matcher } from './match-schema.js';
import type { Place } from './yaml-node.js';

type At = (path: string) => Place | undefined;

/** @param at finds the place of a path below the match */
export function lintMatchWords(hook: Hook, match: Match | undefined, at: At, warn: Warn): void {
  if (match === undefined) return;
  const { not, any, batch: _batch, variables: _variables, ...facts } = match;
  for (const [fact, matcher] of Object.entries(facts) as [FactName, Matcher][]) {
    lintWords(matcher, { path: fact, subject: `At ${hook}, ${fact}`, words: wordsOfFact(hook, fact) }, at, warn);
  }
  lintNames(hook, match.name, at, warn);
  lintLacking(hook, match, at, warn);
  lintMatchWords(hook, not, (path) => at(`not.${path}`), warn);
  any?.forEach((one, index) => {
    lintMatchWords(hook, one, (path) => at(`any[${index}].${path}`), warn);
  });
}

export interface Condition {
  readonly path: string;
  /** Begins the sentence: what is looked at. */
  readonly subject: string;
  /** Undefined: it can be anything. */
  readonly words: Words | undefined;
}

/** One condition, entry by entry where it is a list. */
export function lintWords(matcher: Matcher, { path, subject, words }: Condition, at: At, warn: Warn): void {
  if (Array.isArray(matcher)) {
    matcher.forEach((one, index) => {
      lintWords(one, { path: `${path}[${index}]`, subject, words }, at, warn);
    });
    return;
  }
  // A path begins with a slash anyway.
  if (typeof matcher === 'string' && path !== 'path') lintFlags(matcher, at(path), warn);
  if (words === undefined || fitsSome(matcher, words.values)) return;
  const found = typeof matcher === 'string' ? matcher : JSON.stringify(matcher);
  const { allowed, near = allowed === undefined ? words.values.map(String) : [] } = words;
  warn(at(path), {
    code: 'never_fits',
    message: `${subject} is never ${JSON.stringify(found.slice(0, 80))}.`,
    found: found.slice(0, 80),
    ...(allowed !== undefined && { allowed }),
    words: near,
  });
}

/** `/refund/q` is a plain text, which is hardly meant. */
function lintFlags(text: string, place: Place | undefined, warn: Warn): void {
  const [, regex = '', written = ''] = /^(\/.+\/)([A-Za-z]{1,3})$/s.exec(text) ?? [];
  if (written === '' || parseRegexLiteral(text) !== undefined) return;
  const flags = Array.from(written);
  const known = flags.filter((flag) => 'imsu'.includes(flag));
  const wrong = flags.filter((flag) => !known.includes(flag)).map((flag) => `"${flag}"`);
  warn(place, {
    code: 'unknown_regex_flag',
    message: `This stands for itself and is no regular expression, as ${wrong.join(' and ')} is no flag.`,
    found: text.slice(0, 80),
    allowed: 'the flags i, m, s and u; { equals: … } for a text with slashes',
    suggestion: `${regex}${known.join('')}`,
  });
}

/** The application may create a template of any name, so only what can be none is told of. */
function lintNames(hook: Hook, matcher: Matcher | undefined, at: At, warn: Warn): void {
  for (const [text, path] of literals(matcher, 'name')) {
    if (templateNameForm.test(text) || (!path.endsWith('.equals') && !isPlainText(text))) continue;
    const meant = text.toLowerCase().replace(/[^a-z0-9]+/g, '_');
    warn(at(path), {
      code: 'never_fits',
      message: `At ${hook}, name is never ${JSON.stringify(text.slice(0, 80))}: no template can be called so.`,
      found: text.slice(0, 80),
      allowed: 'a lower-case letter, then lower-case letters, digits and underscores',
      ...(templateNameForm.test(meant) && { suggestion: meant }),
    });
  }
}

function lintLacking(hook: Hook, match: Match, at: At, warn: Warn): void {
  for (const { of, facts } of factsLacking(hook, match)) {
    for (const fact of facts) {
      const condition = match[fact];
      if (condition === undefined || (fact !== 'batch' && mayBeMissing(condition as Matcher))) continue;
      const message = `${of.charAt(0).toUpperCase()}${of.slice(1)} has no ${fact}, so nothing fits both conditions.`;
      warn(at(fact), { code: 'never_fits', message, allowed: `no condition on ${fact} here` });
    }
  }
}

/** Conditions on single variables are about those, and count as met by what has none. */
function mayBeMissing(condition: Matcher): boolean {
  const byNumber = typeof condition === 'object' && Object.keys(condition).some((key) => /^\d+$/.test(key));
  return (byNumber && !Array.isArray(condition)) || compileMatcher(condition)(undefined);
}
