/** Counts the calls that match a rule, and picks those that it applies to. */
import type { RuleQuery } from './effects.js';
import type { Facts } from '../schema/hooks.js';
import type { LoadedRule, Per, Pick as PickRule } from '../schema/rule.js';
import type { Match } from '../schema/match.js';
import { createHash } from 'node:crypto';

interface Counted {
  readonly rule: LoadedRule;
  /** Prefix of its counters. */
  readonly key: string;
  /** Whether it has a random choice: a chance, or a range of durations. */
  readonly draws: boolean;
}

export interface RuleMatch {
  readonly applies: boolean;
  readonly recipient: string;
  /** Number of the call among those that match, by `per`; 0 if nothing is counted. */
  readonly count: number;
  /** Number of the call among those of the recipient; 0 if nothing is random. */
  readonly drawn: number;
}

/** Counts a call and returns whether the rule applies to it. Call it only inside a write. */
export function countAndPick({ rule, key, draws }: Counted, { facts, counters, seed }: RuleQuery): RuleMatch {
  const recipient = String(facts.to ?? '');
  // Random choices are counted per recipient, so that the order of recipients does not change them.
  const drawn = draws ? counters.increment(`${key}/draws/${recipient}`) : 0;
  if (rule.pick === undefined) return { applies: true, count: 0, drawn, recipient };
  const { chance: _chance, share: _share, group = '', ...counted } = rule.pick;
  const counts = Object.keys(counted).length > 0;
  const count = counts ? counters.increment(`${key}/count/${perKey(rule.per, facts)}`) : drawn;
  const struck =
    isPicked(rule.pick, count, () => hashToUnit(seed, rule.id, recipient, drawn, 'chance'), isShare(rule)) &&
    // Depends only on seed, group and number: every rule picks the same customers, and a larger share includes a
    // smaller one.
    (!isShare(rule) || (recipient !== '' && hashToUnit(seed, 'share', group, recipient) < shareOf(rule.pick)));
  return { applies: struck, count, drawn, recipient };
}

/** Returns whether a rule picks customers. `chance` picks calls, except with `per: recipient`. */
export function isShare({ pick, per }: Pick<LoadedRule, 'pick' | 'per'>): boolean {
  return pick?.share !== undefined || (pick?.chance !== undefined && per === 'recipient');
}

function shareOf({ share = '100%', chance }: PickRule): number {
  return Math.min(percent(share), chance === undefined ? 1 : percent(chance));
}

function percent(text: string): number {
  return Number.parseFloat(text) / 100;
}

/** Returns what `per` counts by. Calls without it are counted together. */
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
  const fitted = conditions.length === 0 ? 'matches every call' : `matches by ${conditions.join(', ')}`;
  if (rule.pick === undefined) return `Rule ${rule.id} ${fitted}.`;
  if (isShare(rule) && strike.count === 0) {
    return `Rule ${rule.id} ${fitted}; the customer is one of those picked by ${describePick(rule.pick)}.`;
  }
  const onlyChance = Object.keys(rule.pick).join() === 'chance';
  const per = onlyChance ? 'recipient' : (rule.per ?? 'account');
  return `Rule ${rule.id} ${fitted}; number ${strike.count} of this ${per}, picked by ${describePick(rule.pick)}.`;
}

/** Returns a number in [0, 1) that depends only on its arguments: the same on every machine. */
export function hashToUnit(...parts: readonly (string | number)[]): number {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

/**
 * @param count number of this call among those that match, from 1
 * @param draw returns a number in [0, 1); called for `chance` only
 */
function isPicked(pick: PickRule, count: number, draw: () => number, isShare = false): boolean {
  const { first, nth, every, after, between, chance } = pick;
  if (first !== undefined && count > first) return false;
  if (nth !== undefined && count !== nth) return false;
  if (every !== undefined && count % every !== 0) return false;
  if (after !== undefined && count <= after) return false;
  if (between !== undefined && (count < (between[0] ?? 0) || count > (between[1] ?? 0))) return false;
  return chance === undefined || isShare || draw() < percent(chance);
}

/** Returns whether any count can be picked. */
export function canPick({
  first = Infinity,
  nth,
  every = 1,
  after = 0,
  between = [1, Infinity],
  chance = '100%',
  share = '100%',
}: PickRule): boolean {
  const from = Math.max(after + 1, nth ?? 1, between[0] ?? 1);
  const to = Math.min(first, nth ?? Infinity, between[1] ?? 1);
  return Math.ceil(from / every) * every <= to && percent(chance) > 0 && percent(share) > 0;
}

/** `nth 3` or `every 2, chance 10%`, for explanations. */
function describePick(pick: PickRule): string {
  return Object.entries(pick)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' to ') : String(value)}`)
    .join(', ');
}

/** Returns whether a match has a condition on the number of the attempt. */
export function namesAttempt(match: Match | undefined): boolean {
  if (match === undefined) return false;
  return match.attempt !== undefined || namesAttempt(match.not) || (match.any ?? []).some(namesAttempt);
}

/** Returns the rule as it applies to retries; null if it does not. */
export function aboutRetries(rule: LoadedRule): LoadedRule | null {
  if (rule.when !== 'webhook.deliver' || rule.then.webhook === undefined || namesAttempt(rule.match)) return rule;
  const { duplicate: _duplicate, delay: _delay, drop: _drop, hold_until: _holdUntil, ...webhook } = rule.then.webhook;
  return Object.keys(webhook).length === 0 ? null : { ...rule, then: { ...rule.then, webhook } };
}
