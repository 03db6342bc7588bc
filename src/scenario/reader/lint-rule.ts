/** Warnings about rules that load and then silently do nothing. */
import type { Warn, YamlNode } from '../language/yaml-node.js';
import { nameChecks, lintMatch, type Known, type NameChecks } from './lint-conditions.js';
import { namesAttempt, canPick } from '../engine/rule-match.js';
import { compileMatcher } from '../language/matchers.js';
import type { FoundProblem } from '../language/corrected-line.js';
import type { Problem, Report } from '../language/problems.js';
import { FACTS_BY_HOOK, SLOTS_BY_HOOK, type FactName } from '../language/hooks.js';
import type { Per, Rule } from '../language/rules.js';
import type { SlotName } from '../language/slots.js';

/** @param place the place of the rule */
export function lintRule(rule: Rule, place: YamlNode, checks: NameChecks, warn: Warn): void {
  const prefix = place.path === '' ? '' : `${place.path}.`;
  const at = (path: string) => place.reading.places.get(prefix + path);
  const warnAt = (path: string, report: Report) => {
    warn(at(path) ?? place, report);
  };
  lintMatch({ hook: rule.when, checks, warn }, rule.match, (path) => at(`match.${path}`));
  lintPick(rule, warnAt);
  lintSlots(rule, warnAt);
  lintPer(rule, warnAt);
  if (rule.when === 'webhook.deliver') lintDelivery(rule, warnAt);
}

/** Checks a rule that was added at run time. @returns warnings */
export function lintRuleAlone(rule: Rule, place: YamlNode, known: Known): Problem[] {
  const warnings: FoundProblem[] = [];
  const warn: Warn = (where, report) => {
    if (where !== undefined) warnings.push(where.problem(report));
  };
  lintRule(rule, place, nameChecks(known, warn), warn);
  // Candidates for corrected lines were not tried.
  return warnings.map(({ candidates: _candidates, ...warning }) => warning);
}

export function slotNames({ then }: Pick<Rule, 'then'>): SlotName[] {
  return Object.keys(then) as SlotName[];
}

type WarnAt = (path: string, report: Report) => void;

function lintSlots(rule: Rule, warnAt: WarnAt): void {
  const allowed = SLOTS_BY_HOOK[rule.when];
  const wrong = (path: string, found: string) => {
    const message = `The action "${found}" has no effect at ${rule.when}.`;
    warnAt(path, { code: 'slot_under_wrong_hook', message, found, allowed: allowed.join(', ') });
  };
  for (const slot of slotNames(rule)) if (!allowed.includes(slot)) wrong(`then.${slot}`, slot);
  const { respond, limit } = rule.then;
  if (respond?.refuse !== undefined && allowed.includes('respond') && !allowed.includes('refuse')) {
    wrong('then.respond.refuse', 'refuse');
  }
  if (rule.when === 'api.any' && rule.match?.status !== undefined && limit !== undefined) {
    const message = 'A rule that matches the response status is evaluated after the call, when nothing can be limited.';
    warnAt('then.limit', { code: 'limit_after_answer', message, found: 'limit', allowed: 'a rule without status' });
  }
}

function lintPick({ pick, when }: Rule, warnAt: WarnAt): void {
  if (pick?.share !== undefined && !FACTS_BY_HOOK[when].includes('to')) {
    const message = `There is no customer at ${when}, so a share of the customers cannot be picked.`;
    warnAt('pick.share', { code: 'share_without_customer', message, allowed: 'chance, for a share of the calls' });
    return;
  }
  if (pick === undefined || canPick(pick)) return;
  warnAt('pick', {
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

function lintPer({ when, per, pick, then }: Rule, warnAt: WarnAt): void {
  if (per === undefined || per === 'account') return;
  const known = (word: Exclude<Per, 'account'>) => factsOfPer[word].some((fact) => FACTS_BY_HOOK[when].includes(fact));
  if (!known(per)) {
    const words = (['recipient', 'template', 'endpoint'] as const).filter(known);
    const message = `There is no ${per} at ${when}, so all calls are counted together.`;
    warnAt('per', { code: 'per_not_known_here', message, found: per, allowed: ['account', ...words].join(', ') });
    return;
  }
  const { chance, share: _share, group: _group, ...counted } = pick ?? {};
  const isShare = chance !== undefined && per === 'recipient';
  if (isShare || Object.keys(counted).length > 0 || then.limit !== undefined) return;
  const message = 'The rule counts nothing, so per has no effect.';
  warnAt('per', {
    code: 'per_without_count',
    message,
    found: per,
    allowed: 'per with a pick that counts (first, nth, every, after, between) or a limit',
  });
}

function lintDelivery({ match, then: { webhook } }: Rule, warnAt: WarnAt): void {
  if (webhook === undefined) return;
  const attempt = match?.attempt;
  if (webhook.duplicate !== undefined && namesAttempt(match) && attempt !== undefined && !compileMatcher(attempt)(1)) {
    warnAt('then.webhook.duplicate', {
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
    warnAt('then.webhook.hold_until', {
      code: 'nothing_to_wait_for',
      message: 'Only events of type message.status can wait for a later status of their message.',
      found: 'hold_until',
      allowed: 'match: { event: message.status }, or delay for other events',
    });
  }
}
