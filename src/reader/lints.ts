/**
 * Valid input that is probably a mistake. Each warning looks at the text, so that it does not depend on whether other
 * parts are valid.
 */
import { dataFields } from '../domain/event-data.js';
import { eventTypes } from '../domain/words.js';
import { magicIds } from '../rules/magic-numbers.js';
import { FACTS_BY_HOOK, FIELDS_BY_SUBJECT, HOOKS, SLOTS_BY_HOOK, SUBJECTS } from '../language/hooks.js';
import { errorCodes } from '../language/respond.js';
import type { LoadedRule } from '../language/rule.js';
import { languageTag, nameOfLanguage } from '../language/words.js';
import { lintAlias, lintConditions, lintFictional, lintTemplate, type Names, type WordsOf } from './never-fits.js';
import { lintLacking } from './fields-of-types.js';
import type { Place } from './place.js';

/** `names` and `rules` are null if not all of them could be read. */
export function lintFiles(roots: readonly Place[], names: Names | null, rules: readonly LoadedRule[] | null): void {
  const fromRules = rules && wordsOfRules(rules);
  for (const root of roots) {
    for (const rule of root.items('rules')) lintRule(rule, names);
    for (const customer of root.items('given.customers')) {
      if (customer.at('count') === undefined) lintFictional(customer.at('phone'));
    }
    for (const template of root.items('given.templates')) lintLanguage(template.at('language'));
    for (const step of root.items('timeline')) {
      for (const path of ['inbound.phone', 'message.phone', 'phone']) lintFictional(step.at(path));
      for (const path of ['emit.alias', 'webhook.alias', 'replay.alias']) lintAlias(step.at(path), names);
      lintTemplate(step.at('template.name'), names);
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
  const wordsOf = (name: string) => FACTS_BY_HOOK[hook].get(name);
  lintConditions(rule.at('match'), { where: hook, subject: `At ${hook}`, wordsOf, names });
  lintLacking(hook, rule.at('match.not'));
  const allowed = SLOTS_BY_HOOK[hook];
  for (const [slot, at] of rule.at('then')?.entries ?? []) {
    if (typeof slot === 'number') continue;
    if (allowed.some((one) => one === slot)) continue;
    const message = `The action "${slot}" has no effect at ${hook}.`;
    at.warn({ code: 'slot_under_wrong_hook', message, found: slot, allowed: allowed.join(', ') });
  }
}

function lintExpectation(expectation: Place, names: Names | null, fromRules: WordsOf | null): void {
  const that = SUBJECTS.find((subject) => subject === expectation.at('that')?.text);
  if (that === undefined) return;
  const wordsOf = (name: string) => {
    const isOfRules = name === 'rule' || (that === 'requests' && name === 'error');
    return isOfRules ? fromRules?.(name) : FIELDS_BY_SUBJECT[that].get(name);
  };
  for (const set of [expectation.at('where'), expectation.at('has'), ...expectation.items('in_order')]) {
    lintConditions(set, { where: that, subject: `In ${that}`, wordsOf, names });
  }
}

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
