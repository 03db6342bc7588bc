/** Counting the calls a rule fits, and picking those it strikes. */
import type { RuleQuery } from './effects.js';
import type { Facts } from '../language/hooks.js';
import type { LoadedRule, Match, Per, Pick as PickRule } from '../language/rules.js';
import { createHash } from 'node:crypto';

interface Counted {
  readonly rule: LoadedRule;
  /** Names its counts. */
  readonly key: string;
  /** Whether anything is left to chance: a share, or a range of durations. */
  readonly draws: boolean;
}

export interface RuleMatch {
  readonly applies: boolean;
  readonly recipient: string;
  /** Among those the rule fits, by what `per` names; 0 where nothing is counted. */
  readonly count: number;
  /** Among this recipient's; 0 where nothing is drawn. */
  readonly drawn: number;
}

/** Counts, and says whether this one is struck. Only inside a write. */
export function countAndPick({ rule, key, draws }: Counted, { facts, counters, seed }: RuleQuery): RuleMatch {
  const recipient = String(facts.to ?? '');
  // Draws are made per recipient, so that the order in which recipients come changes nobody's fate.
  const drawn = draws ? counters.increment(`${key}/draws/${recipient}`) : 0;
  if (rule.pick === undefined) return { applies: true, count: 0, drawn, recipient };
  const { chance: _chance, share: _share, group = '', ...counted } = rule.pick;
  const counts = Object.keys(counted).length > 0;
  const count = counts ? counters.increment(`${key}/count/${perKey(rule.per, facts)}`) : drawn;
  const struck =
    isPicked(rule.pick, count, () => hashToUnit(seed, rule.id, recipient, drawn, 'chance'), isShare(rule)) &&
    // By seed, group and number alone, so that every rule has the same ones, and a larger share has those of a smaller one.
    (!isShare(rule) || (recipient !== '' && hashToUnit(seed, 'share', group, recipient) < shareOf(rule.pick)));
  return { applies: struck, count, drawn, recipient };
}

/** Whether a rule picks customers. `chance` picks calls, unless it says that it is counted by recipient. */
export function isShare({ pick, per }: Pick<LoadedRule, 'pick' | 'per'>): boolean {
  return pick?.share !== undefined || (pick?.chance !== undefined && per === 'recipient');
}

function shareOf({ share = '100%', chance }: PickRule): number {
  return Math.min(percent(share), chance === undefined ? 1 : percent(chance));
}

function percent(text: string): number {
  return Number.parseFloat(text) / 100;
}

/** The thing that `per` counts by; a call that does not name one is counted with the others that do not. */
export function perKey(per: Per | undefined, facts: Facts): string {
  switch (per) {
    case 'recipient':
      return `recipient/${String(facts.to ?? '')}`;
    case 'template':
      return `template/${String(facts.template ?? facts.name ?? '')}`;
    case 'endpoint':
      return `endpoint/${String(facts.endpoint ?? facts.url ?? '')}`;
    default:
      return 'account';
  }
}

export function explainMatch(rule: LoadedRule, strike: RuleMatch): string {
  const conditions = Object.keys(rule.match ?? {});
  const fitted = conditions.length === 0 ? 'fits every call' : `fits by ${conditions.join(', ')}`;
  if (rule.pick === undefined) return `Rule ${rule.id} ${fitted}.`;
  if (isShare(rule) && strike.count === 0) {
    return `Rule ${rule.id} ${fitted}; the customer is one of those picked by ${describePick(rule.pick)}.`;
  }
  const onlyChance = Object.keys(rule.pick).join() === 'chance';
  const per = onlyChance ? 'recipient' : (rule.per ?? 'account');
  return `Rule ${rule.id} ${fitted}; number ${strike.count} of this ${per}, picked by ${describePick(rule.pick)}.`;
}

/** A number in [0, 1) from the content of its parts: the same on every machine, whatever was asked before. */
export function hashToUnit(...parts: readonly (string | number)[]): number {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

/**
 * @param count of this one among the fitting, from 1
 * @param draw in [0, 1), asked for `chance` alone
 */
export function isPicked(pick: PickRule, count: number, draw: () => number, isShare = false): boolean {
  const { first, nth, every, after, between, chance } = pick;
  if (first !== undefined && count > first) return false;
  if (nth !== undefined && count !== nth) return false;
  if (every !== undefined && count % every !== 0) return false;
  if (after !== undefined && count <= after) return false;
  if (between !== undefined && (count < between[0] || count > between[1])) return false;
  return chance === undefined || isShare || draw() < percent(chance);
}

/** Whether there is a count that is picked, if chance wants it too. */
export function canPick({
  first = Infinity,
  nth,
  every = 1,
  after = 0,
  between = [1, Infinity],
  chance = '100%',
  share = '100%',
}: PickRule): boolean {
  const from = Math.max(after + 1, nth ?? 1, between[0]);
  const to = Math.min(first, nth ?? Infinity, between[1]);
  return Math.ceil(from / every) * every <= to && percent(chance) > 0 && percent(share) > 0;
}

/** `nth 3` or `every 2, chance 10%`, for explanations. */
export function describePick(pick: PickRule): string {
  return Object.entries(pick)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' to ') : String(value)}`)
    .join(', ');
}

/** Whether a match says anything about the number of the attempt. */
export function namesAttempt(match: Match | undefined): boolean {
  if (match === undefined) return false;
  return match.attempt !== undefined || namesAttempt(match.not) || (match.any ?? []).some(namesAttempt);
}

/** The rule as it speaks about retries; null when it does not. */
export function aboutRetries(rule: LoadedRule): LoadedRule | null {
  if (rule.when !== 'webhook.deliver' || rule.then.webhook === undefined || namesAttempt(rule.match)) return rule;
  const { duplicate: _duplicate, delay: _delay, drop: _drop, hold_until: _holdUntil, ...webhook } = rule.then.webhook;
  return Object.keys(webhook).length === 0 ? null : { ...rule, then: { ...rule.then, webhook } };
}
