/** Warnings about conditions, names and numbers. */
import { isFictional, isPhone } from '../../domain/phone.js';
import type { Report } from '../language/problems.js';
import type { Warn, YamlNode } from '../language/yaml-node.js';
import { magicTemplateFor } from '../engine/magic-numbers.js';
import { isPlainText, compileMatcher } from '../language/matchers.js';
import type { CustomerMatcher, Match, Matcher } from '../language/match.js';
import { customerWords, factsLacking, fitsSome, type Lacking } from './known-words.js';
import { wordsOfFact, type Words, type FactName, type Hook } from '../language/hooks.js';
import { parseRegexLiteral } from '../language/regex.js';
import { templateNameForm } from '../../domain/forms.js';

/** Checks a name or number at its place; undefined if there is none. */
type Check = (text: string | undefined, place: YamlNode | undefined) => void;

export interface NameChecks {
  readonly phone: Check;
  readonly template: Check;
  readonly alias: Check;
}

/** Names that a rule can refer to. */
export interface Known {
  readonly templates: readonly string[];
  readonly aliases: readonly string[];
}

/** @param known null if it is unknown what there is: then only numbers are checked */
export function nameChecks(known: Known | null, warn: Warn): NameChecks {
  const named =
    (names: readonly string[], allowed: string, fault: (name: string) => Report | undefined): Check =>
    (text, place) => {
      if (known === null || text === undefined || !isPlainText(text) || names.includes(text)) return;
      const report = fault(text);
      if (report) warn(place, { ...report, found: text, words: names, ...(names.length === 0 && { allowed }) });
    };
  const { templates = [], aliases = [] } = known ?? {};
  return {
    phone(text, place) {
      const report = text === undefined ? undefined : phoneWarning(text);
      if (report) warn(place, report);
    },
    template: named(templates, 'a template in given.templates', (name) => {
      const message = `given.templates has no "${name}", so nothing matches until the application creates it.`;
      return magicTemplateFor(name) === null ? { code: 'unknown_template', message } : undefined;
    }),
    alias: named(aliases, 'an alias in given.webhooks', (name) => ({
      code: 'unknown_alias_name',
      message: `given.webhooks has no alias "${name}".`,
    })),
  };
}

function phoneWarning(text: string): Report | undefined {
  const allowed = 'a number such as +12025550101';
  if (/^\d{7,15}$/.test(text)) {
    const message = `${text} does not begin with +, so it matches no number.`;
    return { code: 'number_without_plus', message, allowed, suggestion: `+${text}` };
  }
  const bare = text.replace(/[\s().-]/g, '');
  if (text !== bare && isPhone(bare)) {
    const message = `${text} has other characters than + and digits, so it matches no number.`;
    return { code: 'number_with_separators', message, allowed, suggestion: bare };
  }
  if (!/^\+\d+$/.test(text) || isFictional(text)) return undefined;
  const message = `${text} may be a real phone number. Use a number reserved for fiction.`;
  return { code: 'number_not_fictional', message, allowed: '+1AAA55501NN with any US area code AAA' };
}

/** Returns the plain texts of a matcher, each with its path. */
export function literals(matcher: Matcher | undefined, path: string): [string, string][] {
  if (matcher === undefined) return [];
  if (typeof matcher === 'string') return [[matcher, path]];
  if (Array.isArray(matcher)) return matcher.flatMap((one, index) => literals(one, `${path}[${index}]`));
  return matcher.equals === undefined ? [] : [[matcher.equals, `${path}.equals`]];
}

type At = (path: string) => YamlNode | undefined;

/** @param at returns the place of a path below the match */
export function lintMatch(
  { hook, checks, warn }: { readonly hook: Hook; readonly checks: NameChecks; readonly warn: Warn },
  match: Match | undefined,
  at: At,
): void {
  if (match === undefined) return;
  const { not, any, batch: _batch, variables: _variables, after: _after, customer = {}, ...facts } = match;
  const named = { to: checks.phone, template: checks.template, alias: checks.alias } as const;
  for (const [key, check] of Object.entries(named) as [keyof typeof named, NameChecks['phone']][]) {
    for (const [text, path] of literals(match[key], key)) check(text, at(path));
  }
  for (const [fact, matcher] of Object.entries(facts) as [FactName, Matcher][]) {
    lintWords(matcher, { path: fact, subject: `At ${hook}, ${fact}`, words: wordsOfFact(hook, fact) }, at, warn);
  }
  for (const [key, matcher] of Object.entries(customer) as [keyof CustomerMatcher, Matcher][]) {
    const path = `customer.${key}`;
    lintWords(matcher, { path, subject: `At ${hook}, ${path}`, words: customerWords[key] }, at, warn);
  }
  lintCategory(hook, match.category, at, warn);
  lintNames(`At ${hook}`, match.name, at, warn);
  lintLacking(factsLacking(hook, match), match, at, warn);
  lintMatch({ hook, checks, warn }, not, (path) => at(`not.${path}`));
  any?.forEach((one, index) => {
    lintMatch({ hook, checks, warn }, one, (path) => at(`any[${index}].${path}`));
  });
}

export interface Condition {
  readonly path: string;
  /** The subject of the warning's sentence. */
  readonly subject: string;
  /** Undefined if any value is possible. */
  readonly words: Words | undefined;
}

/** Warns of a condition that no possible value meets; of a list, entry by entry. */
export function lintWords(matcher: Matcher, { path, subject, words }: Condition, at: At, warn: Warn): void {
  if (Array.isArray(matcher)) {
    matcher.forEach((one, index) => {
      lintWords(one, { path: `${path}[${index}]`, subject, words }, at, warn);
    });
    return;
  }
  // Every path begins with a slash.
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

/** Warns of `/refund/q`, which is a plain text but probably meant as an expression. */
function lintFlags(text: string, place: YamlNode | undefined, warn: Warn): void {
  const [, regex = '', written = ''] = /^(\/.+\/)([A-Za-z]{1,3})$/s.exec(text) ?? [];
  if (written === '' || parseRegexLiteral(text) !== undefined) return;
  const flags = Array.from(written);
  const known = flags.filter((flag) => 'imsu'.includes(flag));
  const wrong = flags.filter((flag) => !known.includes(flag)).map((flag) => `"${flag}"`);
  warn(place, {
    code: 'unknown_regex_flag',
    message: `This is a plain text, not a regular expression, because ${wrong.join(' and ')} is not a flag.`,
    found: text.slice(0, 80),
    allowed: 'the flags i, m, s and u; { equals: … } for a text with slashes',
    suggestion: `${regex}${known.join('')}`,
  });
}

/** Warns of one-time codes at the wrong hook: a separate call sends them. */
function lintCategory(hook: Hook, matcher: Matcher | undefined, at: At, warn: Warn): void {
  if (hook !== 'message.send') return;
  for (const [text, path] of literals(matcher, 'category')) {
    if (text !== 'authentication') continue;
    const message = 'One-time codes are sent at otp.send, so this never matches a code.';
    warn(at(path), { code: 'codes_sent_elsewhere', message, allowed: 'when: otp.send for codes' });
  }
}

/** Warns of names that no template can have. The application may create any other one. */
export function lintNames(where: string, matcher: Matcher | undefined, at: At, warn: Warn): void {
  for (const [text, path] of literals(matcher, 'name')) {
    if (templateNameForm.test(text) || (!path.endsWith('.equals') && !isPlainText(text))) continue;
    const meant = text.toLowerCase().replace(/[^a-z0-9]+/g, '_');
    warn(at(path), {
      code: 'never_fits',
      message: `${where}, name is never ${JSON.stringify(text.slice(0, 80))}: it is not a valid template name.`,
      found: text.slice(0, 80),
      allowed: 'a lower-case letter, then lower-case letters, digits and underscores',
      ...(templateNameForm.test(meant) && { suggestion: meant }),
    });
  }
}

/** Warns of conditions on fields that the other conditions exclude. */
export function lintLacking(lacking: readonly Lacking[], conditions: object, at: At, warn: Warn): void {
  for (const { of, facts } of lacking) {
    for (const fact of facts) {
      const condition = (conditions as Readonly<Record<string, Matcher | undefined>>)[fact];
      if (condition === undefined || (fact !== 'batch' && mayBeMissing(condition))) continue;
      const message = `${of.charAt(0).toUpperCase()}${of.slice(1)} has no ${fact}, so nothing matches both conditions.`;
      warn(at(fact), { code: 'never_fits', message, allowed: `no condition on ${fact} here` });
    }
  }
}

/** A condition on a single variable may be met by a call without variables. */
function mayBeMissing(condition: Matcher): boolean {
  const byNumber = typeof condition === 'object' && Object.keys(condition).some((key) => /^\d+$/.test(key));
  return (byNumber && !Array.isArray(condition)) || compileMatcher(condition)(undefined);
}
