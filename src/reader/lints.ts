/**
 * Warnings: valid input that is probably a mistake. They look at what is written, so that those about one part do not
 * depend on whether the others are valid.
 */
import { isFictional, isPhone } from '../domain/customer.js';
import { dataFields } from '../domain/event-data.js';
import { eventTypes, templateNameForm } from '../domain/words.js';
import { magicIds, magicTemplateFor } from '../rules/magic-numbers.js';
import { compileMatcher, isPlainText, type FactValue } from '../rules/match.js';
import { FACTS_BY_HOOK, FIELDS_BY_SUBJECT, HOOKS, SLOTS_BY_HOOK, SUBJECTS, type Words } from '../language/hooks.js';
import { matcherSchema } from '../language/match.js';
import type { Report } from '../language/problems.js';
import { errorCodes } from '../language/respond.js';
import type { LoadedRule } from '../language/rule.js';
import { languageTag, nameOfLanguage } from '../language/words.js';
import type { Place } from './place.js';

export interface Names {
  readonly templates: readonly string[];
  readonly aliases: readonly string[];
}

/** @param names null if it is unknown which there are @param rules null if not all of them could be read */
export function lintFiles(roots: readonly Place[], names: Names | null, rules: readonly LoadedRule[] | null): void {
  const fromRules = rules && wordsOfRules(rules);
  for (const root of roots) {
    for (const rule of root.items('rules')) lintRule(rule, names);
    for (const customer of root.items('given.customers')) {
      if (customer.at('count') === undefined) lintNamed('phone', customer.at('phone'), names);
    }
    for (const template of root.items('given.templates')) lintLanguage(template.at('language'));
    for (const step of root.items('timeline')) {
      for (const path of ['inbound.phone', 'message.phone', 'phone']) lintNamed('phone', step.at(path), names);
      for (const path of ['emit.alias', 'webhook.alias', 'replay.alias']) lintNamed('alias', step.at(path), names);
      lintNamed('template', step.at('template.name'), names);
      lintEventData(step);
    }
    for (const expectation of root.items('expect')) lintExpectation(expectation, names, fromRules);
  }
}

/** `english` has the form of a tag, and no application sends it. */
function lintLanguage(at: Place | undefined): void {
  const name = at?.text ?? '';
  const tag = languageTag(name);
  if (tag === undefined) return;
  at?.warn({ code: 'language_name', message: nameOfLanguage(name, tag), found: name, suggestion: tag });
}

export function lintRule(rule: Place, names: Names | null): void {
  const hook = HOOKS.find((name) => name === rule.at('when')?.text);
  if (hook === undefined) return;
  lintConditions(rule.at('match'), hook, `At ${hook}`, (name) => FACTS_BY_HOOK[hook].get(name), names);
  lintLacking(hook, rule.at('match.not'));
  const allowed = SLOTS_BY_HOOK[hook];
  for (const [slot, at] of rule.at('then')?.entries ?? []) {
    if (allowed.some((one) => one === slot)) continue;
    const message = `The action "${slot}" has no effect at ${hook}.`;
    at.warn({ code: 'slot_under_wrong_hook', message, found: String(slot), allowed: allowed.join(', ') });
  }
}

type WordsOf = (field: string) => Words | undefined;

function lintExpectation(expectation: Place, names: Names | null, fromRules: WordsOf | null): void {
  const that = SUBJECTS.find((subject) => subject === expectation.at('that')?.text);
  if (that === undefined) return;
  const wordsOf = (name: string) => {
    const isOfRules = name === 'rule' || (that === 'requests' && name === 'error');
    return isOfRules ? fromRules?.(name) : FIELDS_BY_SUBJECT[that].get(name);
  };
  for (const set of [expectation.at('where'), expectation.at('has'), ...expectation.items('in_order')]) {
    lintConditions(set, that, `In ${that}`, wordsOf, names);
  }
}

/** Checks the conditions in a mapping, with those in `not`. @param where the hook or the kind of record */
function lintConditions(
  set: Place | undefined,
  where: string,
  subject: string,
  wordsOf: WordsOf,
  names: Names | null,
): void {
  const each = (at: Place): Place[] => (Array.isArray(at.value) ? [...at.entries.values()].flatMap(each) : [at]);
  for (const [name, at] of conditionsOf(set).flatMap(([key, one]) => each(one).map((place) => [key, place] as const))) {
    lintCondition(at, `${subject}, ${name}`, wordsOf(name));
    lintNamed(where === 'templates' && name === 'name' ? 'template' : name, at, names);
    if (name === 'name') lintTemplateName(subject, at);
  }
  lintLacking(where, set);
}

function conditionsOf(set: Place | undefined): (readonly [name: string, at: Place])[] {
  return [...(set?.entries ?? [])].flatMap(([key, at]) =>
    key === 'not' ? conditionsOf(at) : [[String(key), at] as const],
  );
}

/** Warns of a condition that no possible value meets. @param words undefined if any value is possible */
function lintCondition(at: Place, subject: string, words: Words | undefined): void {
  if (words === undefined || fits(at, words.values)) return;
  const found = (at.text ?? at.written ?? '').slice(0, 80);
  const { allowed, near = allowed === undefined ? words.values.map(String) : [] } = words;
  const message = `${subject} is never ${JSON.stringify(found)}.`;
  at.warn({ code: 'never_fits', message, found, ...(allowed !== undefined && { allowed }), words: near });
}

/** Returns whether a condition matches one of the values, or their absence. */
function fits(at: Place, values: readonly FactValue[]): boolean {
  const { data: matcher } = matcherSchema.safeParse(at.value);
  if (matcher === undefined) return true;
  const test = compileMatcher(matcher);
  return test(undefined) || values.some(test);
}

/** Fields that only some types of calls, events or records have: `FIELD, FIELD: KEY is one of TYPES`. */
const MESSAGE = ['template, language, category: type is template', 'text: type is text interactive template'];
const eventFields = (status: string, phone: string) => [
  `${status}: event is message.status template.status`,
  'type: event is message.status message.received',
  `${phone}: event is message.status message.received otp.verified`,
];
const FIELDS_OF_TYPES: Readonly<Record<string, readonly string[]>> = {
  'message.send': MESSAGE,
  'message.get': MESSAGE,
  messages: MESSAGE,
  sent: MESSAGE,
  'webhook.deliver': eventFields('status', 'phone'),
  attempts: eventFields('message_status', 'to'),
  deliveries: eventFields('message_status', 'to'),
  requests: ['type: operation is message.send', 'to, template: operation is message.send otp.send'],
};

function lintLacking(where: string, set: Place | undefined): void {
  for (const row of FIELDS_OF_TYPES[where] ?? []) {
    const [fields = '', by = '', types = ''] = row.split(/: | is /);
    const type = set?.at(by);
    if (type === undefined || fits(type, types.split(' '))) continue;
    for (const field of fields.split(', ')) {
      const at = set?.entries.get(field);
      if (at === undefined || fits(at, [])) continue;
      const message = `With this ${by} there is no ${field}, so nothing matches both conditions.`;
      at.warn({ code: 'never_fits', message, allowed: `no condition on ${field} here` });
    }
  }
}

/** Warns of a name that nothing has, and of a number that matches nobody or may be real. */
function lintNamed(name: string, at: Place | undefined, names: Names | null): void {
  const text = at?.text;
  if (at === undefined || text === undefined) return;
  const warnUnless = (known: readonly string[], allowed: string, code: string, message: string) => {
    if (!isPlainText(text) || known.includes(text)) return;
    at.warn({ code, message, found: text, words: known, ...(known.length === 0 && { allowed }) });
  };
  if (name === 'phone' || name === 'to' || name === 'from') {
    const report = phoneReport(text);
    if (report) at.warn(report);
  } else if (names !== null && name === 'template' && magicTemplateFor(text) === null) {
    const message = `given.templates has no "${text}", so nothing matches until the application creates it.`;
    warnUnless(names.templates, 'a template in given.templates', 'unknown_template', message);
  } else if (names !== null && name === 'alias') {
    const message = `given.webhooks has no alias "${text}".`;
    warnUnless(names.aliases, 'an alias in given.webhooks', 'unknown_alias_name', message);
  }
}

function phoneReport(text: string): Report | undefined {
  const bare = text.replace(/[\s().-]/g, '').replace(/^(?=\d{7,15}$)/, '+');
  if (text !== bare && isPhone(bare)) {
    const message = `${text} is not + and digits, so it matches no number.`;
    return { code: 'never_fits', message, allowed: 'a number such as +12025550101', suggestion: bare };
  }
  if (!/^\+\d+$/.test(text) || isFictional(text)) return undefined;
  const message = `${text} may be a real phone number. Use a number reserved for fiction.`;
  return { code: 'number_not_fictional', message, allowed: '+1AAA55501NN with any US area code AAA' };
}

/** Warns of a name that no template can have. The application may create any other one. */
function lintTemplateName(subject: string, at: Place): void {
  const text = at.text;
  if (text === undefined || templateNameForm.test(text) || !isPlainText(text)) return;
  const meant = text.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  const found = text.slice(0, 80);
  at.warn({
    code: 'never_fits',
    message: `${subject}, name is never ${JSON.stringify(found)}: it is not a valid template name.`,
    found,
    allowed: 'a lower-case letter, then lower-case letters, digits and underscores',
    ...(templateNameForm.test(meant) && { suggestion: meant }),
  });
}

/** Warns of fields that such an event does not have: they are allowed, but probably a mistake. */
function lintEventData(step: Place): void {
  const type = eventTypes.find((one) => one === step.at('emit.type')?.text);
  const data = step.at('emit.data');
  // An unknown event type is invalid on purpose.
  if (type === undefined || step.at('emit.webhook.body')?.text === 'unknown_type') return;
  const words = dataFields(type);
  for (const [name, { key }] of data?.entries ?? []) {
    const message = `The data of ${type} has no field "${name}"; it is sent anyway.`;
    if (!words.includes(String(name))) key?.warn({ code: 'unknown_field', message, found: `"${name}"`, words });
  }
}

/** A longer list of ids would hide the rest of a warning. */
const MOST_LISTED = 30;

/** Returns the values of the fields `rule` and `error`, to which rules add some. */
function wordsOfRules(rules: readonly LoadedRule[]): WordsOf {
  const ids = rules.map(({ id }) => id);
  const allowed = ids.length === 0 || ids.length > MOST_LISTED ? 'the id of a rule' : ids.join(', ');
  const codes = rules.flatMap(({ then: { respond, refuse } }) => {
    const { error } = (respond?.body ?? {}) as { readonly error?: { readonly code?: unknown } };
    return [respond?.code, refuse?.code, error?.code].filter((code) => typeof code === 'string');
  });
  return (name) =>
    name === 'rule'
      ? { values: [...ids, ...magicIds(), 'timeline', 'X-Sandbox-Prefer'], allowed, near: ids }
      : { values: [...errorCodes, ...codes] };
}
