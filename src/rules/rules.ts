/** Rules are sorted by hook once. At a hook, each slot is set by the first rule that matches and has it. */
import type { Slots } from '../language/actions.js';
import { type Hook, HOOKS, type SlotName, SLOTS_BY_HOOK } from '../language/hooks.js';
import { parseOffset } from '../language/durations.js';
import type { Match } from '../language/match.js';
import type { LoadedRule } from '../language/rule.js';
import {
  answersInstead,
  EFFECTS,
  undecided,
  type Decision,
  type RuleQuery,
  type RuleSet,
  type Winner,
} from './effects.js';
import { compileMatch, type MatchTest } from './match.js';
import { countAndPick, explainMatch, hashToUnit, percent, perKey, type Picked } from './pick.js';

export interface RuleSetOptions {
  /** Origin in explanations; default: `rule`. */
  readonly by?: 'header' | 'rule' | 'magic' | 'default';
  /** Prefix of the counters, which separates rules with equal ids; default: `by`. */
  readonly scope?: string;
  /** Ignores `when`: these rules apply at every hook that has their slots. */
  readonly everywhere?: boolean;
  /** Account time; undefined means the activation. */
  readonly sinceMs?: (rule: LoadedRule) => number | undefined;
  /** By default, the sentence has the rule and its count. */
  readonly describe?: (rule: LoadedRule) => string;
}

interface CompiledRule extends Actions {
  readonly rule: LoadedRule;
  readonly draws: boolean;
  readonly fits: MatchTest;
  readonly fromMs: number;
  readonly toMs: number;
  /** Start of both offsets; undefined for the activation. */
  readonly sinceMs: number | undefined;
  /** `api.any` only: evaluated after the response is known. */
  readonly afterAnswer: boolean;
  /** The sum of the shares of the rules before it, from 0 to 1. */
  readonly shareFrom: number;
  readonly key: string;
}

export function compileRules(rules: readonly LoadedRule[], options: RuleSetOptions = {}): RuleSet {
  const { by = 'rule', scope = by, sinceMs, everywhere = false } = options;
  const shares = sharesBefore(rules);
  const compiled = rules.flatMap((rule): CompiledRule[] => {
    const common = {
      rule,
      fits: compileMatch(rule.match),
      // Without a beginning, a rule also applies to a clock that was set to the past since.
      fromMs: rule.active?.after === undefined ? -Infinity : parseOffset(rule.active.after),
      toMs: rule.active?.before === undefined ? Infinity : parseOffset(rule.active.before),
      sinceMs: sinceMs?.(rule),
      afterAnswer: rule.when === 'api.any' && rule.match?.status !== undefined,
      shareFrom: shares.get(rule) ?? 0,
      // A magic number with rules at two hooks has one id and two counts.
      key: `${scope}/${rule.id}/${rule.when}`,
    };
    return actionsOf(rule).map((actions) => {
      const draws = rule.pick?.chance !== undefined || /\d[a-z]+\.\.\d/.test(JSON.stringify(actions.then));
      return { ...common, ...actions, draws };
    });
  });
  const has = ({ rule }: CompiledRule, hook: Hook) =>
    (everywhere || rule.when === hook) && SLOTS_BY_HOOK[hook].some((slot) => rule.then[slot] !== undefined);
  const byHook = new Map(HOOKS.map((hook) => [hook, compiled.filter((one) => has(one, hook))]));

  return {
    speaksAt: (hook) => byHook.get(hook)?.length !== 0,
    asksAfterAnswer: byHook.get('api.any')?.some(({ afterAnswer }) => afterAnswer) === true,
    decide(query, decided = undecided) {
      let winners: Partial<Record<SlotName, Winner<SlotName>>> | undefined;
      for (const candidate of byHook.get(query.hook) ?? []) {
        // Most rules do not match most calls, so this comes before any allocation.
        if (!isActive(candidate, query) || !candidate.fits(query.facts)) continue;
        winners ??= { ...decided };
        // A call counts whatever an earlier rule did with it: calls 1 and 2 in two rules are the first and the second.
        const pick = countAndPick(candidate, query);
        if (!pick.applies) continue;
        for (const slot of slotsLeft(query.hook, candidate.then, winners as Decision)) {
          winners[slot] = winnerOf(candidate, slot, pick, query);
        }
      }
      return (winners ?? decided) as Decision;
    },
  };

  function winnerOf(
    { rule, key, then }: CompiledRule,
    slot: SlotName,
    pick: Picked,
    query: RuleQuery,
  ): Winner<SlotName> {
    const draw = (label: string) => hashToUnit(query.seed, rule.id, pick.phone, pick.drawn, slot, label);
    const effectOf = EFFECTS[slot] as (value: unknown, draw: (label: string) => number) => Winner<SlotName>['effect'];
    const { file, line } = rule.source;
    return {
      effect: effectOf(then[slot], draw),
      explain: {
        by,
        id: rule.id,
        ...(file !== '' && { file, line }),
        text: options.describe?.(rule) ?? explainMatch(rule, pick),
      },
      key: `${key}/${perKey(rule.per, query.facts)}`,
      per: rule.per ?? 'account',
    };
  }
}

/** In order of precedence: header, run-time rules, scenario, magic, defaults. */
export function decideAcross(layers: readonly (RuleSet | null | undefined)[], query: RuleQuery): Decision {
  return layers.reduce<Decision>((decided, layer) => layer?.decide(query, decided) ?? decided, undecided);
}

/** The shares of one action at one hook follow each other, from 0 to 1. */
function sharesBefore(rules: readonly LoadedRule[]): ReadonlyMap<LoadedRule, number> {
  const sums = new Map<string, number>();
  return new Map(
    rules.map((rule) => {
      const actions = Object.keys(rule.then).map((action) => `${rule.when} ${action}`);
      const from = Math.max(0, ...actions.map((action) => sums.get(action) ?? 0));
      for (const action of actions) sums.set(action, from + percent(rule.pick?.share ?? '0%'));
      return [rule, from];
    }),
  );
}

interface Actions {
  readonly then: Slots;
  /** True: for the retries of a delivery; false: for everything else; undefined: for both. */
  readonly forRetries?: boolean;
}

/** A retry has no delay, copies or drop, unless the rule names the attempt. */
function actionsOf({ when, match, then }: LoadedRule): Actions[] {
  if (when !== 'webhook.deliver' || then.webhook === undefined || namesAttempt(match)) return [{ then }];
  const { duplicate: _duplicate, delay: _delay, drop: _drop, hold_until: _holdUntil, ...webhook } = then.webhook;
  const first = { then, forRetries: false };
  if (Object.keys(webhook).length === 0) return [first];
  return [first, { then: { ...then, webhook }, forRetries: true }];
}

function namesAttempt(match: Match | undefined): boolean {
  return match !== undefined && (match.attempts !== undefined || namesAttempt(match.not));
}

function isActive({ afterAnswer, forRetries, ...compiled }: CompiledRule, query: RuleQuery): boolean {
  const isRetry = Number(query.facts.attempts) > 1;
  if (forRetries === !isRetry) return false;
  const sinceMs = query.nowMs - (compiled.sinceMs ?? query.activationMs);
  if (sinceMs < compiled.fromMs || sinceMs >= compiled.toMs) return false;
  // `api.any` is evaluated before a call is carried out, and again, with its status, when the response is known.
  return query.hook !== 'api.any' || afterAnswer === (query.facts.status !== undefined);
}

/**
 * `respond` and `refuse` both replace an acceptance, one for the call and one for the recipient, so if one of them is
 * set, later rules cannot set the other.
 */
function slotsLeft(hook: Hook, then: Slots, decided: Decision): SlotName[] {
  const { respond, refuse } = decided;
  const isAnswer = then.respond !== undefined && answersInstead(then.respond);
  return SLOTS_BY_HOOK[hook].filter((slot) => {
    if (then[slot] === undefined || decided[slot] !== undefined) return false;
    if (slot === 'refuse') return respond?.effect.accept !== false;
    return slot !== 'respond' || !refuse || !isAnswer;
  });
}
