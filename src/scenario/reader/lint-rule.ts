/** What a rule says in vain: it would load, and silently do nothing. */
import type { Warn, YamlNode } from './yaml-node.js';
import { nameChecks, lintMatch, type Known, type NameChecks, lintMatchWords } from './lint-conditions.js';
import { namesAttempt, canPick } from '../engine/rule-match.js';
import { compileMatcher } from '../engine/matchers.js';
import type { FoundProblem } from './corrected-line.js';
import type { Problem, Report } from './problems.js';
import { FACTS_BY_HOOK, SLOTS_BY_HOOK, type FactName } from '../language/hooks.js';
import type { Per, Rule } from '../language/rules.js';
import type { SlotName } from '../language/slots.js';

/** @param place where the rule was read */
export function lintRule(rule: Rule, place: YamlNode, checks: NameChecks, warn: Warn): void {
  const prefix = place.path === '' ? '' : `${place.path}.`;
  const at = (path: string) => place.reading.places.get(prefix + path);
  const complain = (path: string, complaint: Report) => {
    warn(at(path) ?? place, complaint);
  };
  lintMatch(rule.match, (path) => at(`match.${path}`), checks);
  lintMatchWords(rule.when, rule.match, (path) => at(`match.${path}`), warn);
  lintPick(rule, complain);
  lintSlots(rule, complain);
  lintPer(rule, complain);
  if (rule.when === 'webhook.deliver') lintDelivery(rule, complain);
}

/** A rule that came on its own, at run time. @returns warnings */
export function lintRuleAlone(rule: Rule, place: YamlNode, known: Known): Problem[] {
  const warnings: FoundProblem[] = [];
  const warn: Warn = (where, complaint) => {
    if (where !== undefined) warnings.push(where.problem(complaint));
  };
  lintRule(rule, place, nameChecks(known, warn), warn);
  // Nobody has tried the lines that may be meant.
  return warnings.map(({ candidates: _candidates, ...warning }) => warning);
}

export function slotNames({ then }: Pick<Rule, 'then'>): SlotName[] {
  return Object.keys(then) as SlotName[];
}

type Complain = (path: string, complaint: Report) => void;

function lintSlots(rule: Rule, complain: Complain): void {
  const allowed = SLOTS_BY_HOOK[rule.when];
  const wrong = (path: string, found: string) => {
    const message = `The slot "${found}" has no effect under ${rule.when}.`;
    complain(path, { code: 'slot_under_wrong_hook', message, found, allowed: allowed.join(', ') });
  };
  for (const slot of slotNames(rule)) if (!allowed.includes(slot)) wrong(`then.${slot}`, slot);
  const { respond, limit } = rule.then;
  if (respond?.refuse !== undefined && allowed.includes('respond') && !allowed.includes('refuse')) {
    wrong('then.respond.refuse', 'refuse');
  }
  if (rule.when === 'api.any' && rule.match?.status !== undefined && limit !== undefined) {
    const message = 'A rule that matches the status of an answer is asked after the call, when nothing can be limited.';
    complain('then.limit', { code: 'limit_after_answer', message, found: 'limit', allowed: 'a rule without status' });
  }
}

function lintPick({ pick, when }: Rule, complain: Complain): void {
  if (pick?.share !== undefined && !FACTS_BY_HOOK[when].includes('to')) {
    const message = `No customer is known at ${when}, so no share of them can be picked.`;
    complain('pick.share', { code: 'share_without_customer', message, allowed: 'chance, for a share of the calls' });
    return;
  }
  if (pick === undefined || canPick(pick)) return;
  complain('pick', {
    code: 'never_picked',
    message: 'No count meets all of this, so the rule never acts.',
    allowed: 'conditions that can hold together, with a chance above 0%',
  });
}

/** What each `per` looks at; one of them must be known where the rule speaks. */
const factsOfPer: Readonly<Record<Exclude<Per, 'account'>, readonly FactName[]>> = {
  recipient: ['to'],
  template: ['template', 'name'],
  endpoint: ['endpoint', 'url'],
};

function lintPer({ when, per, pick, then }: Rule, complain: Complain): void {
  if (per === undefined || per === 'account') return;
  const known = (word: Exclude<Per, 'account'>) => factsOfPer[word].some((fact) => FACTS_BY_HOOK[when].includes(fact));
  if (!known(per)) {
    const words = (['recipient', 'template', 'endpoint'] as const).filter(known);
    const message = `There is no ${per} at ${when}, so all calls are counted together.`;
    complain('per', { code: 'per_not_known_here', message, found: per, allowed: ['account', ...words].join(', ') });
    return;
  }
  const { chance, share: _share, group: _group, ...counted } = pick ?? {};
  const isShare = chance !== undefined && per === 'recipient';
  if (isShare || Object.keys(counted).length > 0 || then.limit !== undefined) return;
  const message = 'Nothing is counted here, so per has no effect.';
  complain('per', {
    code: 'per_without_count',
    message,
    found: per,
    allowed: 'per beside a pick that counts (first, nth, every, after, between) or a limit',
  });
}

function lintDelivery({ match, then: { webhook } }: Rule, complain: Complain): void {
  if (webhook === undefined) return;
  const attempt = match?.attempt;
  if (webhook.duplicate !== undefined && namesAttempt(match) && attempt !== undefined && !compileMatcher(attempt)(1)) {
    complain('then.webhook.duplicate', {
      code: 'duplicate_of_retry',
      message: 'A delivery is duplicated when it is made; no retry is.',
      found: 'duplicate',
      allowed: 'duplicate in a rule without attempt, or with attempt: 1; for a retry delay, drop and hold_until work',
    });
  }
  if (
    webhook.hold_until !== undefined &&
    match?.event !== undefined &&
    !compileMatcher(match.event)('message.status')
  ) {
    complain('then.webhook.hold_until', {
      code: 'nothing_to_wait_for',
      message: 'Only events of type message.status can wait for a later status of their message.',
      found: 'hold_until',
      allowed: 'match: { event: message.status }, or delay for other events',
    });
  }
}
