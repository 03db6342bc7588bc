/** Warnings about conditions, names and numbers. */
import { isFictional, isPhone } from '../../domain/phone.js';
import { templateNameForm } from '../../domain/forms.js';
import { magicTemplateFor } from '../engine/magic-numbers.js';
import type { ExpectSubject } from '../schema/expect.js';
import { statuses, wordsOfFact, type FactName, type Hook, type Words } from '../schema/hooks.js';
import type { Match, Matcher } from '../schema/match.js';
import { compileMatcher, isPlainText, type FactValue } from '../engine/match.js';
import type { Report } from '../schema/problems.js';
import { parseRegexLiteral } from '../schema/regex.js';
import type { Place } from './place.js';

/** The place of what is checked. Nothing is reported where there is none. */
type At = Place | undefined;
/** Checks a name or number; undefined if there is none. */
type Check = (text: string | undefined, place: At) => void;
export type NameChecks = Readonly<Record<'phone' | 'template' | 'alias', Check>>;

/** Names that a rule can refer to. */
export interface Known {
  readonly templates: readonly string[];
  readonly aliases: readonly string[];
}

/** @param known null if it is unknown what there is: then only numbers are checked */
export function nameChecks(known: Known | null): NameChecks {
  const named =
    (names: readonly string[], allowed: string, fault: (name: string) => Report | false): Check =>
    (text, place) => {
      if (known === null || text === undefined || !isPlainText(text) || names.includes(text)) return;
      const report = fault(text);
      if (report) place?.warn({ ...report, found: text, words: names, ...(names.length === 0 && { allowed }) });
    };
  const { templates = [], aliases = [] } = known ?? {};
  return {
    phone(text, place) {
      const report = text === undefined ? undefined : phoneWarning(text);
      if (report) place?.warn(report);
    },
    template: named(templates, 'a template in given.templates', (name) => {
      const message = `given.templates has no "${name}", so nothing matches until the application creates it.`;
      return magicTemplateFor(name) === null && { code: 'unknown_template', message };
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

/** Returns the plain texts of a matcher, each with its place. */
export function literals(matcher: Matcher | undefined, place: At): [string, At][] {
  if (matcher === undefined) return [];
  if (typeof matcher === 'string') return [[matcher, place]];
  if (Array.isArray(matcher)) return matcher.flatMap((one, index) => literals(one, place?.at(`[${index}]`)));
  return [];
}

/** @param place the place of the match */
export function lintMatch(hook: Hook, match: Match | undefined, place: At, checks: NameChecks): void {
  if (match === undefined) return;
  const { not, any = [], batch: _batch, variables: _variables, after: _after, customer = {}, ...facts } = match;
  const named = { to: checks.phone, template: checks.template, alias: checks.alias };
  for (const key of ['to', 'template', 'alias'] as const) {
    for (const [text, at] of literals(match[key], place?.at(key))) named[key](text, at);
  }
  for (const [fact, matcher] of Object.entries(facts) as [FactName, Matcher][]) {
    lintWords(matcher, place?.at(fact), `At ${hook}, ${fact}`, wordsOfFact(hook, fact));
  }
  for (const [key, matcher] of Object.entries(customer)) {
    const words = key === 'last_status' ? statuses : undefined;
    lintWords(matcher, place?.at(`customer.${key}`), `At ${hook}, customer.${key}`, words);
  }
  // A separate call sends codes.
  for (const [text, at] of hook === 'message.send' ? literals(match.category, place?.at('category')) : []) {
    if (text !== 'authentication') continue;
    const message = 'One-time codes are sent at otp.send, so this never matches a code.';
    at?.warn({ code: 'codes_sent_elsewhere', message, allowed: 'when: otp.send for codes' });
  }
  lintNames(`At ${hook}`, match.name, place?.at('name'));
  lintLacking(factsLacking(hook, match), match, place);
  lintMatch(hook, not, place?.at('not'), checks);
  for (const [index, one] of any.entries()) lintMatch(hook, one, place?.at(`any[${index}]`), checks);
}

/**
 * Warns of a condition that no possible value meets; of a list, entry by entry.
 * @param subject of the warning's sentence
 * @param words undefined if any value is possible
 */
export function lintWords(matcher: Matcher, place: At, subject: string, words: Words | undefined): void {
  if (Array.isArray(matcher)) {
    for (const [index, one] of matcher.entries()) lintWords(one, place?.at(`[${index}]`), subject, words);
    return;
  }
  // Every path begins with a slash.
  if (typeof matcher === 'string' && place?.path.endsWith('.path') === false) lintFlags(matcher, place);
  if (words === undefined || fitsSome(matcher, words.values)) return;
  const found = (typeof matcher === 'string' ? matcher : JSON.stringify(matcher)).slice(0, 80);
  const { allowed, near = allowed === undefined ? words.values.map(String) : [] } = words;
  const message = `${subject} is never ${JSON.stringify(found)}.`;
  place?.warn({ code: 'never_fits', message, found, ...(allowed !== undefined && { allowed }), words: near });
}

/** Warns of `/refund/q`, which is a plain text but probably meant as an expression. */
function lintFlags(text: string, place: Place): void {
  const [, regex = '', written = ''] = /^(\/.+\/)([A-Za-z]{1,3})$/s.exec(text) ?? [];
  if (written === '' || parseRegexLiteral(text) !== undefined) return;
  const isFlag = (sign: string) => 'imsu'.includes(sign);
  const wrong = Array.from(written).flatMap((sign) => (isFlag(sign) ? [] : `"${sign}"`));
  place.warn({
    code: 'unknown_regex_flag',
    message: `This is a plain text, not a regular expression, because ${wrong.join(' and ')} is not a flag.`,
    found: text.slice(0, 80),
    allowed: 'the flags i, m, s and u; { contains: … } for a text with slashes',
    suggestion: `${regex}${Array.from(written).filter(isFlag).join('')}`,
  });
}

/** Warns of names that no template can have. The application may create any other one. */
export function lintNames(where: string, matcher: Matcher | undefined, place: At): void {
  for (const [text, at] of literals(matcher, place)) {
    if (templateNameForm.test(text) || !isPlainText(text)) continue;
    const meant = text.toLowerCase().replace(/[^a-z0-9]+/g, '_');
    const found = text.slice(0, 80);
    at?.warn({
      code: 'never_fits',
      message: `${where}, name is never ${JSON.stringify(found)}: it is not a valid template name.`,
      found,
      allowed: 'a lower-case letter, then lower-case letters, digits and underscores',
      ...(templateNameForm.test(meant) && { suggestion: meant }),
    });
  }
}

/** Facts or fields that a kind of call, event or record does not have. */
interface Lacking {
  readonly of: string;
  readonly facts: readonly string[];
}

/** Warns of conditions on fields that the other conditions exclude. */
export function lintLacking(lacking: readonly Lacking[], conditions: object, place: At): void {
  for (const { of, facts } of lacking) {
    for (const fact of facts) {
      const condition = (conditions as Readonly<Record<string, Matcher | undefined>>)[fact];
      if (condition === undefined || (fact !== 'batch' && mayBeMissing(condition))) continue;
      const message = `${of.charAt(0).toUpperCase()}${of.slice(1)} has no ${fact}, so nothing matches both conditions.`;
      place?.at(fact)?.warn({ code: 'never_fits', message, allowed: `no condition on ${fact} here` });
    }
  }
}

/** A condition on a single variable may be met by a call without variables. */
function mayBeMissing(condition: Matcher): boolean {
  const byNumber = typeof condition === 'object' && Object.keys(condition).some((key) => /^\d+$/.test(key));
  return (byNumber && !Array.isArray(condition)) || compileMatcher(condition)(undefined);
}

/** Returns whether a condition matches one of the values, or their absence. */
function fitsSome(matcher: Matcher, values: readonly FactValue[]): boolean {
  const test = compileMatcher(matcher);
  return test(undefined) || values.some(test);
}

/** Returns those facts that no call or event with one of the types in their row has. */
function lackingBy(type: Matcher | undefined, of: string, rows: readonly [types: string, facts: string][]): Lacking[] {
  if (type === undefined) return [];
  return rows.flatMap(([types, facts]) => (fitsSome(type, types.split(' ')) ? [] : [{ of, facts: facts.split(' ') }]));
}

/** Returns the facts that a call or event lacks because of its type: a condition on one of them never holds. */
function factsLacking(hook: Hook, { type, event, batch }: Match): Lacking[] {
  if (hook === 'message.send' || hook === 'message.get') {
    return lackingBy(type, 'a message of this type', [
      ['template', `template language category variables${batch === true ? ' batch' : ''}`],
      ['text interactive template', 'text'],
    ]);
  }
  if (hook !== 'webhook.deliver') return [];
  return lackingBy(event, 'an event of this type', [
    ['message.status template.status', 'status'],
    ['message.status message.received', 'type'],
    ['message.status message.received otp.verified', 'to'],
  ]);
}

/** Returns the fields that a record lacks because of its type. */
export function fieldsLacking(that: ExpectSubject, { type, event, operation }: Record<string, Matcher>): Lacking[] {
  if (that === 'messages' && type !== undefined) return factsLacking('message.send', { type });
  if ((that === 'attempts' || that === 'deliveries') && event !== undefined) {
    const named = (fact: string) => (fact === 'status' ? 'message_status' : fact);
    return factsLacking('webhook.deliver', { event }).map(({ of, facts }) => ({ of, facts: facts.map(named) }));
  }
  return lackingBy(that === 'requests' ? operation : undefined, 'a request of this operation', [
    ['message.send', 'type batch'],
    ['message.send otp.send', 'to template'],
  ]);
}
