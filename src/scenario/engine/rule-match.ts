/** Counts the calls that match a rule, and picks those that it applies to. */
import { createHash } from 'node:crypto';
import type { RuleQuery } from './effects.js';
import type { Facts } from '../schema/hooks.js';
import { parseCalls, type LoadedRule, type Per, type Pick as PickRule } from '../schema/rule.js';
import type { Match } from '../schema/match.js';

interface Counted {
  readonly rule: LoadedRule;
  /** Prefix of its counters. */
  readonly key: string;
  /** Whether it has a random choice: a chance, or a range of durations. */
  readonly draws: boolean;
  /** The sum of the shares of the rules before it, from 0 to 1. */
  readonly shareFrom: number;
}

export interface RuleMatch {
  readonly applies: boolean;
  readonly phone: string;
  /** Number of the call among those that match, by `per`; 0 if nothing is counted. */
  readonly count: number;
  /** Number of the call among those of the customer; 0 if nothing is random. */
  readonly drawn: number;
}

/** Counts a call and returns whether the rule applies to it. Call it only inside a write. */
export function countAndPick(
  { rule, key, draws, shareFrom }: Counted,
  { facts, counters, seed }: RuleQuery,
): RuleMatch {
  const phone = String(facts.phone ?? '');
  // Random choices are counted per customer, so that the order of customers does not change them.
  const drawn = draws ? counters.increment(`${key}/draws/${phone}`) : 0;
  if (rule.pick === undefined) return { applies: true, count: 0, drawn, phone };
  const { calls, every, chance, share } = rule.pick;
  const counts = calls !== undefined || every !== undefined;
  const count = counts ? counters.increment(`${key}/count/${perKey(rule.per, facts)}`) : drawn;
  const applies =
    isCounted(rule.pick, count) &&
    (chance === undefined || hashToUnit(seed, rule.id, phone, drawn, 'chance') < percent(chance)) &&
    (share === undefined || (phone !== '' && isInShare(hashToUnit(seed, 'share', phone), shareFrom, percent(share))));
  return { applies, count, drawn, phone };
}

/** Depends on seed and number only, so that rules at other hooks begin with the same customers. */
function isInShare(place: number, from: number, share: number): boolean {
  return place >= from && place < from + share;
}

/** @param count number of this call among those that match, from 1 */
function isCounted({ calls, every = 1 }: PickRule, count: number): boolean {
  const range = calls === undefined ? undefined : parseCalls(calls);
  return count % every === 0 && (!range || (count >= range.from && count <= range.to));
}

/** Returns a percentage as a number from 0 to 1. */
export function percent(text: string): number {
  return Number.parseFloat(text) / 100;
}

/** Returns what `per` counts by. Calls without it are counted together. */
export function perKey(per: Per | undefined, facts: Facts): string {
  switch (per) {
    case 'phone':
      return `phone/${String(facts.phone ?? '')}`;
    case 'template':
      return `template/${String(facts.template ?? facts.name ?? '')}`;
    case 'endpoint':
      return `endpoint/${String(facts.url ?? '')}`;
    default:
      return 'account';
  }
}

export function explainMatch(rule: LoadedRule, { count }: RuleMatch): string {
  const conditions = Object.keys(rule.match ?? {});
  const fitted = conditions.length === 0 ? 'matches every call' : `matches by ${conditions.join(', ')}`;
  if (rule.pick === undefined) return `Rule ${rule.id} ${fitted}.`;
  const picked = Object.entries(rule.pick)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  if (count === 0) return `Rule ${rule.id} ${fitted}; the customer is one of those picked by ${picked}.`;
  // A chance is counted per customer.
  const per = Object.keys(rule.pick).join() === 'chance' ? 'phone' : (rule.per ?? 'account');
  return `Rule ${rule.id} ${fitted}; number ${count} of this ${per}, picked by ${picked}.`;
}

/** Returns a number in [0, 1) that depends only on its arguments: the same on every machine. */
export function hashToUnit(...parts: readonly (string | number)[]): number {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

/** Returns whether a match has a condition on the number of the attempt. */
export function namesAttempt(match: Match | undefined): boolean {
  return match !== undefined && (match.attempts !== undefined || namesAttempt(match.not));
}

/** Returns the rule as it applies to retries; null if it does not. */
export function aboutRetries(rule: LoadedRule): LoadedRule | null {
  if (rule.when !== 'webhook.deliver' || rule.then.webhook === undefined || namesAttempt(rule.match)) return rule;
  const { duplicate: _duplicate, delay: _delay, drop: _drop, hold_until: _holdUntil, ...webhook } = rule.then.webhook;
  return Object.keys(webhook).length === 0 ? null : { ...rule, then: { ...rule.then, webhook } };
}
