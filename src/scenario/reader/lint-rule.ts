/** Warnings about rules that have no effect: on their own, behind an earlier rule, or because they wait for another one. */
import { isDeepStrictEqual } from 'node:util';
import { canPick, namesAttempt } from '../engine/rule-match.js';
import { FACTS_BY_HOOK, HOOKS, SLOTS_BY_HOOK, type FactName } from '../schema/hooks.js';
import type { Match, Matcher } from '../schema/match.js';
import { compileMatcher, isPlainText, rulesBefore } from '../engine/match.js';
import type { Problem } from '../schema/problems.js';
import type { LoadedRule, Per, Rule } from '../schema/rule.js';
import type { SlotName } from '../schema/actions.js';
import { awaitedOf } from '../schema/instants.js';
import type { Place } from './place.js';
import { lintMatch, nameChecks, type Known, type NameChecks } from './lint-conditions.js';
import type { LoadedFile, RuleSources } from './merge.js';

/** @param place the place of the rule */
export function lintRule(rule: Rule, place: Place, checks: NameChecks): void {
  lintMatch(rule.when, rule.match, place.at('match'), checks);
  lintPick(rule, place);
  lintSlots(rule, place);
  lintPer(rule, place);
  if (rule.when === 'webhook.deliver') lintDelivery(rule, place);
}

/** Checks a rule that was added at run time. @returns warnings */
export function lintRuleAlone(rule: Rule, place: Place, known: Known): Problem[] {
  lintRule(rule, place, nameChecks(known));
  // Corrected lines were not tried.
  return place.reading.warnings.map(({ edits: _edits, ...warning }) => warning);
}

export function slotNames({ then }: Pick<Rule, 'then'>): SlotName[] {
  return Object.keys(then) as SlotName[];
}

function lintSlots(rule: Rule, place: Place): void {
  const allowed = SLOTS_BY_HOOK[rule.when];
  const wrong = (path: string, found: string) => {
    const message = `The action "${found}" has no effect at ${rule.when}.`;
    place.near(path).warn({ code: 'slot_under_wrong_hook', message, found, allowed: allowed.join(', ') });
  };
  for (const slot of slotNames(rule)) if (!allowed.includes(slot)) wrong(`then.${slot}`, slot);
  const { respond, limit } = rule.then;
  if (respond?.refuse !== undefined && allowed.includes('respond') && !allowed.includes('refuse')) {
    wrong('then.respond.refuse', 'refuse');
  }
  if (rule.when === 'api.any' && rule.match?.status !== undefined && limit !== undefined) {
    const message = 'A rule that matches the response status is evaluated after the call, so it cannot limit anything.';
    place
      .near('then.limit')
      .warn({ code: 'limit_after_answer', message, found: 'limit', allowed: 'a rule without status' });
  }
}

function lintPick({ pick, when }: Rule, place: Place): void {
  if (pick?.share !== undefined && !FACTS_BY_HOOK[when].includes('to')) {
    const message = `There is no customer at ${when}, so a share of the customers cannot be picked.`;
    place
      .near('pick.share')
      .warn({ code: 'share_without_customer', message, allowed: 'chance, for a share of the calls' });
    return;
  }
  if (pick === undefined || canPick(pick)) return;
  place.near('pick').warn({
    code: 'never_picked',
    message: 'No count meets all of these conditions, so the rule never applies.',
    allowed: 'conditions that can all hold, with a chance above 0%',
  });
}

/** The fields that each `per` counts by; one of them must exist at the hook. */
const factsOfPer: Readonly<Record<Exclude<Per, 'account'>, readonly FactName[]>> = {
  recipient: ['to'],
  template: ['template', 'name'],
  endpoint: ['endpoint', 'url'],
};

function lintPer({ when, per, pick, then }: Rule, place: Place): void {
  if (per === undefined || per === 'account') return;
  const known = (word: Exclude<Per, 'account'>) => factsOfPer[word].some((fact) => FACTS_BY_HOOK[when].includes(fact));
  if (!known(per)) {
    const words = (['recipient', 'template', 'endpoint'] as const).filter(known);
    const message = `There is no ${per} at ${when}, so all calls are counted together.`;
    place
      .near('per')
      .warn({ code: 'per_not_known_here', message, found: per, allowed: ['account', ...words].join(', ') });
    return;
  }
  const { chance, share: _share, group: _group, ...counted } = pick ?? {};
  const isShare = chance !== undefined && per === 'recipient';
  if (isShare || Object.keys(counted).length > 0 || then.limit !== undefined) return;
  const message = 'The rule counts nothing, so per has no effect.';
  place.near('per').warn({
    code: 'per_without_count',
    message,
    found: per,
    allowed: 'per with a pick that counts (first, nth, every, after, between) or a limit',
  });
}

function lintDelivery({ match, then: { webhook } }: Rule, place: Place): void {
  if (webhook === undefined) return;
  const attempt = match?.attempt;
  if (webhook.duplicate !== undefined && namesAttempt(match) && attempt !== undefined && !compileMatcher(attempt)(1)) {
    place.near('then.webhook.duplicate').warn({
      code: 'duplicate_of_retry',
      message: 'A delivery is duplicated when it is made, not at a retry.',
      found: 'duplicate',
      allowed: 'duplicate in a rule without attempt, or with attempt: 1; for a retry, use delay, drop or hold_until',
    });
  }
  if (
    webhook.hold_until !== undefined &&
    match?.event !== undefined &&
    !compileMatcher(match.event)('message.status')
  ) {
    place.near('then.webhook.hold_until').warn({
      code: 'nothing_to_wait_for',
      message: 'Only events of type message.status can wait for a later status of their message.',
      found: 'hold_until',
      allowed: 'match: { event: message.status }, or delay for other events',
    });
  }
}

/** Warns of each slot that never applies, because an earlier rule always takes it. */
export function lintShadowed(rules: readonly LoadedRule[], sources: RuleSources): void {
  /** By hook and slot, the earlier rules that always apply when they match. */
  const takers = new Map<string, LoadedRule[]>();
  for (const rule of rules) {
    for (const slot of slotNames(rule)) {
      const key = `${rule.when} ${slot}`;
      const before = takers.get(key) ?? [];
      const earlier = before.find(({ match }) => covers(match ?? {}, rule.match ?? {}));
      if (rule.pick === undefined && rule.active === undefined) takers.set(key, [...before, rule]);
      if (earlier === undefined) continue;
      const where = `${earlier.source.file}:${earlier.source.line}`;
      sources
        .get(rule)
        ?.near(`then.${slot}`)
        .warn({
          code: 'shadowed_rule',
          message: `The action "${slot}" of rule ${rule.id} never applies: rule ${earlier.id} (${where}) comes first and matches everything that this one matches.`,
          found: rule.id,
          allowed: 'this rule before the other one, or a narrower match in the other one',
        });
    }
  }
}

/** Returns true only if it is certain; conditions that are hard to compare count as different. */
function covers(wide: Match, narrow: Match): boolean {
  return Object.entries(wide).every(([key, condition]) => {
    const other: unknown = narrow[key as keyof Match];
    if (other === undefined) return false;
    if (condition === other) return true;
    if (key === 'after') return false;
    if (typeof condition === 'string' && typeof other === 'string' && isPlainText(condition)) return false;
    if (typeof condition === 'object' && isDeepStrictEqual(condition, other)) return true;
    if (['not', 'any', 'variables', 'batch', 'customer', 'after'].includes(key)) return false;
    return coversMatcher(condition as Matcher, other as Matcher, key === 'path');
  });
}

function coversMatcher(wide: Matcher, narrow: Matcher, slashesArePlain: boolean): boolean {
  if (Array.isArray(narrow)) return narrow.every((one) => coversMatcher(wide, one, slashesArePlain));
  if (wide === '*') return typeof narrow === 'string';
  const isOneText = typeof narrow === 'string' && isPlainText(narrow, { slashesArePlain });
  return isOneText && compileMatcher(wide, { slashesArePlain })(narrow);
}

/** Warns of rules that never apply because of `match.after`. */
export function lintAfter(rules: readonly LoadedRule[], sources: RuleSources): void {
  const ids = rules.map(({ id }) => id);
  for (const rule of rules) {
    for (const before of rulesBefore(rule.match)) {
      // `not: { after: OWN_ID }` means once for each customer.
      const isItself = before === rule.id && rule.match?.after === before;
      if (ids.includes(before) && !isItself) continue;
      const message = isItself
        ? `Rule ${rule.id} waits for itself, so it never applies.`
        : `There is no rule "${before}", so rule ${rule.id} never applies unless one of this id is added at run time.`;
      const words = ids.filter((id) => id !== rule.id);
      sources.get(rule)?.near('match.after').warn({ code: 'unknown_rule', message, found: before, words });
    }
  }
}

/** Warns of steps that never happen. */
export function lintAwaited({ scenario, root: { reading } }: LoadedFile, ids: readonly string[]): void {
  for (const entry of scenario.timeline ?? []) {
    if (typeof entry.at === 'string' || !('after' in entry.at)) continue;
    const awaited = awaitedOf(entry.at.after);
    if ('hook' in awaited || ids.includes(awaited.rule)) continue;
    const message = `There is no rule "${awaited.rule}", so this step never happens.`;
    const words = [...ids, ...HOOKS];
    reading.origins.get(entry)?.at('at.after')?.warn({ code: 'unknown_rule', message, found: awaited.rule, words });
  }
}
