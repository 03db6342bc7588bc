/**
 * Warnings: valid input that is probably a mistake. They look at what is written, so that those about one part do not
 * depend on whether the others are valid.
 */
import { dataFields } from '../../domain/event.js';
import { eventTypes } from '../../domain/words.js';
import { compileMatcher, type FactValue } from '../engine/match.js';
import { magicIds } from '../engine/magic-numbers.js';
import { FIELDS_BY_SUBJECT, wordsOfField, type ExpectSubject } from '../schema/expect.js';
import { HOOKS, SLOTS_BY_HOOK, wordsOfFact, type FactName, type Words } from '../schema/hooks.js';
import { matcherSchema } from '../schema/match.js';
import type { Problem } from '../schema/problems.js';
import { errorCodes } from '../schema/respond.js';
import type { LoadedRule } from '../schema/rule.js';
import { checksOf, lintNamed, lintTemplateName, type Checks, type Names } from './lint-names.js';
import type { Place } from './place.js';

/** Warns of the conditions and names of all files. @param rules null if not all of them could be read */
export function lintFiles(roots: readonly Place[], names: Names | null, rules: readonly LoadedRule[] | null): void {
  const check = checksOf(names);
  const fromRules = rules && wordsOfRules(rules);
  for (const root of roots) {
    for (const rule of root.items('rules')) lintRule(rule, check);
    for (const customer of root.items('given.customers')) {
      if (customer.at('count') === undefined) check.phone(customer.at('phone'));
    }
    for (const step of root.items('timeline')) {
      for (const path of ['inbound.phone', 'message.phone', 'phone']) check.phone(step.at(path));
      for (const path of ['emit.alias', 'webhook.alias', 'replay.alias']) check.alias(step.at(path));
      check.template(step.at('template.name'));
      lintEventData(step);
    }
    for (const expectation of root.items('expect')) lintExpectation(expectation, check, fromRules);
  }
}

/** Warns of fields that such an event does not have: they are allowed, but probably a mistake. */
function lintEventData(step: Place): void {
  const type = eventTypes.find((one) => one === step.at('emit.type')?.scalarText());
  const data = step.at('emit.data');
  // An unknown event type is invalid on purpose.
  if (type === undefined || step.at('emit.webhook.body')?.scalarText() === 'unknown_type') return;
  const words = dataFields(type);
  for (const name of data?.keys ?? []) {
    const message = `The data of ${type} has no field "${name}"; it is sent anyway.`;
    if (!words.includes(name)) {
      data?.child(name)?.key?.warn({ code: 'unknown_field', message, found: `"${name}"`, words });
    }
  }
}

/** Checks a rule that was added at run time. @returns warnings; corrected lines were not tried */
export function lintRuleAlone(place: Place, names: Names): Problem[] {
  lintRule(place, checksOf(names));
  return place.reading.warnings.map(({ edits: _edits, ...warning }) => warning);
}

function lintRule(rule: Place, check: Checks): void {
  const hook = HOOKS.find((name) => name === rule.at('when')?.scalarText());
  if (hook === undefined) return;
  for (const { name, at } of conditionsOf(rule.at('match'))) {
    lintCondition(at, `At ${hook}, ${name}`, wordsOfFact(hook, name as FactName));
    lintNamed(name, at, check);
    if (name === 'name') lintTemplateName(`At ${hook}`, at);
  }
  for (const set of [rule.at('match'), rule.at('match.not')]) lintLacking(hook, set);
  const allowed = SLOTS_BY_HOOK[hook];
  for (const slot of rule.at('then')?.keys ?? []) {
    if (allowed.some((one) => one === slot)) continue;
    const message = `The action "${slot}" has no effect at ${hook}.`;
    rule
      .near(`then.${slot}`)
      .warn({ code: 'slot_under_wrong_hook', message, found: slot, allowed: allowed.join(', ') });
  }
}

function lintExpectation(expectation: Place, check: Checks, fromRules: Readonly<Record<string, Words>> | null): void {
  const that = expectation.at('that')?.scalarText() as ExpectSubject | undefined;
  if (that === undefined || !Object.hasOwn(FIELDS_BY_SUBJECT, that)) return;
  for (const set of [expectation.at('where'), expectation.at('has'), ...expectation.items('in_order')]) {
    for (const { name, at } of conditionsOf(set)) {
      const isOfRules = name === 'rule' || (that === 'requests' && name === 'error');
      lintCondition(at, `In ${that}, ${name}`, isOfRules ? fromRules?.[name] : wordsOfField(that, name));
      lintNamed(that === 'templates' && name === 'name' ? 'template' : name, at, check);
      if (that === 'templates' && name === 'name') lintTemplateName('In templates', at);
    }
    lintLacking(that, set);
  }
}

interface Condition {
  /** Name of the fact or field. */
  readonly name: string;
  /** The place of one matcher: of a list, each entry has its own. */
  readonly at: Place;
}

/** Returns the conditions in a mapping, with those in `not`. */
function conditionsOf(set: Place | undefined): Condition[] {
  const each = (at: Place): Place[] => (at.isList ? at.items('').flatMap(each) : [at]);
  return (set?.keys ?? []).flatMap((key) => {
    const at = set?.child(key);
    if (at === undefined) return [];
    if (key === 'not') return conditionsOf(at);
    return each(at).map((one) => ({ name: key, at: one }));
  });
}

/** Warns of a condition that no possible value meets. @param words undefined if any value is possible */
function lintCondition(at: Place, subject: string, words: Words | undefined): void {
  if (words === undefined || fits(at, words.values)) return;
  const found = (at.scalarText() ?? at.written ?? '').slice(0, 80);
  const { allowed, near = allowed === undefined ? words.values.map(String) : [] } = words;
  const message = `${subject} is never ${JSON.stringify(found)}.`;
  at.warn({ code: 'never_fits', message, found, ...(allowed !== undefined && { allowed }), words: near });
}

/** Returns whether a condition matches one of the values, or their absence. */
function fits(at: Place, values: readonly FactValue[]): boolean {
  const { data: matcher } = matcherSchema().safeParse(at.tree);
  if (matcher === undefined) return true;
  const test = compileMatcher(matcher);
  return test(undefined) || values.some(test);
}

/** Fields that only some types of calls, events or records have: by which field, which types, and which fields. */
type Rows = readonly (readonly [by: string, types: string, fields: string])[];
const MESSAGE: Rows = [
  ['type', 'template', 'template language category'],
  ['type', 'text interactive template', 'text'],
];
const eventRows = (status: string, phone: string): Rows => [
  ['event', 'message.status template.status', status],
  ['event', 'message.status message.received', 'type'],
  ['event', 'message.status message.received otp.verified', phone],
];
const FIELDS_OF_TYPES: Readonly<Record<string, Rows>> = {
  'message.send': MESSAGE,
  'message.get': MESSAGE,
  messages: MESSAGE,
  'webhook.deliver': eventRows('status', 'phone'),
  attempts: eventRows('message_status', 'to'),
  deliveries: eventRows('message_status', 'to'),
  requests: [
    ['operation', 'message.send', 'type'],
    ['operation', 'message.send otp.send', 'to template'],
  ],
};

/** Warns of conditions on fields that the condition on the type excludes. */
function lintLacking(where: string, set: Place | undefined): void {
  for (const [by, types, fields] of FIELDS_OF_TYPES[where] ?? []) {
    const type = set?.at(by);
    if (type === undefined || fits(type, types.split(' '))) continue;
    for (const field of fields.split(' ')) {
      const at = set?.at(field);
      if (at === undefined || fits(at, [])) continue;
      const message = `With this ${by} there is no ${field}, so nothing matches both conditions.`;
      at.warn({ code: 'never_fits', message, allowed: `no condition on ${field} here` });
    }
  }
}

/** A longer list of ids would hide the rest of a warning. */
const MOST_LISTED = 30;

/** Returns the values of fields that rules add to the known ones. */
function wordsOfRules(rules: readonly LoadedRule[]): Readonly<Record<'rule' | 'error', Words>> {
  const ids = rules.map(({ id }) => id);
  const listed = ids.length === 0 || ids.length > MOST_LISTED ? 'the id of a rule' : ids.join(', ');
  return {
    rule: { values: [...ids, ...magicIds(), 'timeline', 'X-Sandbox-Prefer'], allowed: listed, near: ids },
    error: { values: [...errorCodes, ...rules.flatMap(codesOf)] },
  };
}

function codesOf({ then: { respond, refuse } }: LoadedRule): string[] {
  const { error } = (respond?.body ?? {}) as { readonly error?: { readonly code?: unknown } };
  return [respond?.code, refuse?.code, error?.code].filter((code) => typeof code === 'string');
}
