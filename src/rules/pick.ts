import { createHash } from 'node:crypto';
import type { Facts } from '../language/match.js';
import { parseCalls } from '../language/durations.js';
import type { LoadedRule, Per, Pick } from '../language/rule.js';
import type { RuleQuery } from './effects.js';

export interface Picked {
  readonly applies: boolean;
  readonly phone: string;
  /** Counted by `per`; 0 if nothing is counted. */
  readonly count: number;
  /** Number of the call among the customer's calls; 0 if nothing is random. */
  readonly drawn: number;
}

interface Countable {
  readonly rule: LoadedRule;
  readonly key: string;
  readonly shareFrom: number;
  readonly draws: boolean;
}

/** Call it only inside a write. */
export function countAndPick({ rule, key, shareFrom, draws }: Countable, { facts, counters, seed }: RuleQuery): Picked {
  const phone = String(facts.phone ?? '');
  // Random choices are counted per customer, so that the order of customers does not change them.
  const drawn = draws ? counters.increment(`${key}/draws/${phone}`) : 0;
  if (rule.pick === undefined) return { applies: true, count: 0, drawn, phone };
  const { calls, every, chance, share } = rule.pick;
  const counts = calls !== undefined || every !== undefined;
  const count = counts ? counters.increment(`${key}/count/${perKey(rule.per, facts)}`) : drawn;
  // Depends on seed and number only, so that rules at other hooks begin with the same customers.
  const isInShare = (share: string) => {
    const place = hashToUnit(seed, 'share', phone);
    return phone !== '' && place >= shareFrom && place < shareFrom + percent(share);
  };
  const applies =
    isCounted(rule.pick, count) &&
    (chance === undefined || hashToUnit(seed, rule.id, phone, drawn, 'chance') < percent(chance)) &&
    (share === undefined || isInShare(share));
  return { applies, count, drawn, phone };
}

function isCounted({ calls, every = 1 }: Pick, count: number): boolean {
  const range = calls === undefined ? undefined : parseCalls(calls);
  return count % every === 0 && (!range || (count >= range.from && count <= range.to));
}

export function percent(text: string): number {
  return Number.parseFloat(text) / 100;
}

/** Calls without a value for `per` are counted together. */
export function perKey(per: Per | undefined, facts: Facts): string {
  if (per === 'phone') return `phone/${String(facts.phone ?? '')}`;
  if (per === 'template') return `template/${String(facts.template ?? facts.name ?? '')}`;
  return per === 'endpoint' ? `endpoint/${String(facts.url ?? '')}` : 'account';
}

export function explainMatch(rule: LoadedRule, { count }: Picked): string {
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

/** The result is the same on every machine. */
export function hashToUnit(...parts: readonly (string | number)[]): number {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
