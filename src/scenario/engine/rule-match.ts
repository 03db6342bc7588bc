/** Counting the calls a rule fits, and picking those it strikes (contract §5, `pick` and `per`). */
import { contentDraw, describePick, isPicked } from './seeded-chance.js';
import type { RuleQuery } from './rules.js';
import type { Facts } from '../language/hooks.js';
import type { LoadedRule, Per } from '../language/rule-schema.js';

interface Counted {
  readonly rule: LoadedRule;
  /** Names its counts. */
  readonly key: string;
  /** Whether anything is left to chance: a share, or a range of durations. */
  readonly draws: boolean;
}

export interface Strike {
  readonly struck: boolean;
  readonly recipient: string;
  /** Among those the rule fits, by what `per` names; 0 where nothing is counted. */
  readonly count: number;
  /** Among this recipient's; 0 where nothing is drawn. */
  readonly drawn: number;
}

/** Counts, and says whether this one is struck. Only inside a write. */
export function countAndPick({ rule, key, draws }: Counted, { facts, counters, seed }: RuleQuery): Strike {
  const recipient = String(facts.to ?? '');
  // Draws are made per recipient, so that the order in which recipients come changes nobody's fate.
  const drawn = draws ? counters.increment(`${key}/draws/${recipient}`) : 0;
  if (rule.pick === undefined) return { struck: true, count: 0, drawn, recipient };
  const { chance: _chance, ...counted } = rule.pick;
  const counts = Object.keys(counted).length > 0;
  const count = counts ? counters.increment(`${key}/count/${perKey(rule.per, facts)}`) : drawn;
  const struck = isPicked(rule.pick, count, () => contentDraw(seed, rule.id, recipient, drawn, 'chance'));
  return { struck, count, drawn, recipient };
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

export function explainStrike(rule: LoadedRule, strike: Strike): string {
  const conditions = Object.keys(rule.match ?? {});
  const fitted = conditions.length === 0 ? 'fits every call' : `fits by ${conditions.join(', ')}`;
  if (rule.pick === undefined) return `Rule ${rule.id} ${fitted}.`;
  const onlyChance = Object.keys(rule.pick).join() === 'chance';
  const per = onlyChance ? 'recipient' : (rule.per ?? 'account');
  return `Rule ${rule.id} ${fitted}; number ${strike.count} of this ${per}, picked by ${describePick(rule.pick)}.`;
}
