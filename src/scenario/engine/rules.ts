/**
 * The engine: decides which rule sets which slot. Rules are compiled once, by hook. At a hook, each slot is set by the first
 * rule that matches and has it.
 */
import { answersInstead, compileSlots, type CompiledSlots } from './compile-slots.js';
import { undecided, type Decision, type RuleQuery, type RuleSet, type Winner } from './effects.js';
import { aboutRetries, countAndPick, explainMatch, hashToUnit, percent, perKey, type RuleMatch } from './rule-match.js';
import { compileMatch, type MatchTest } from './match.js';
import { parseOffset } from '../schema/durations.js';
import { HOOKS, SLOTS_BY_HOOK, type Facts, type Hook } from '../schema/hooks.js';
import type { LoadedRule } from '../schema/rule.js';
import type { SlotName } from '../schema/actions.js';

export interface RuleSetOptions {
  /** Origin in explanations; default: `rule`. */
  readonly by?: 'header' | 'rule' | 'magic' | 'default';
  /** Prefix of the counters, which separates rules with equal ids; default: `by`. */
  readonly scope?: string | ((rule: LoadedRule) => string);
  /** Ignores `when`: these rules apply at every hook that has their slots. */
  readonly everywhere?: boolean;
  /** Returns the account time from which a rule's `active` counts, if it is not the activation. */
  readonly sinceMs?: (rule: LoadedRule) => number | undefined;
  /** Returns the sentence of the explanation; by default, it has the rule and its count. */
  readonly describe?: (rule: LoadedRule) => string;
}

/** What a rule does at a call, or at the retry of a delivery. */
interface Variant {
  readonly slots: CompiledSlots;
  readonly slotNames: readonly SlotName[];
  /** Whether it has a random choice: a chance, or a range of durations. */
  readonly draws: boolean;
}

interface CompiledRule {
  readonly rule: LoadedRule;
  readonly hook: Hook;
  readonly call: Variant;
  /** Null for a rule that does not apply to retries. */
  readonly retry: Variant | null;
  readonly fits: MatchTest;
  readonly fromMs: number;
  readonly toMs: number;
  /** Start of both offsets; undefined for the activation. */
  readonly sinceMs: number | undefined;
  /** Whether its `respond` replaces the operation. */
  readonly answersInstead: boolean;
  /** `api.any` only: evaluated after the response is known. */
  readonly afterAnswer: boolean;
  readonly shareFrom: number;
  readonly key: string;
}

/**
 * Compiles matchers, durations and slots once.
 * @throws RegexError, DurationError, RangeError for rules that were not checked by a loader
 */
export function compileRules(rules: readonly LoadedRule[], options: RuleSetOptions = {}): RuleSet {
  const { by = 'rule', scope = by, sinceMs, everywhere = false } = options;
  const scopeOf = typeof scope === 'string' ? () => scope : scope;
  const shares = sharesBefore(rules);
  const compiled = rules.flatMap((rule) =>
    (everywhere ? HOOKS : [rule.when])
      .map((hook) => {
        const around = { scope: scopeOf(rule), sinceMs: sinceMs?.(rule), shareFrom: shares.get(rule) ?? 0 };
        return compileRule(rule, hook, around);
      })
      .filter(({ call }) => call.slotNames.length > 0),
  );
  const byHook = new Map(HOOKS.map((hook) => [hook, compiled.filter((one) => one.hook === hook)]));

  return {
    rules,
    speaksAt: (hook) => byHook.get(hook)?.length !== 0,
    asksAfterAnswer: compiled.some(({ afterAnswer }) => afterAnswer),
    decide(query, decided = undecided) {
      let winners: Winners | undefined;
      for (const candidate of byHook.get(query.hook) ?? []) {
        const variant = isRetry(query.facts) ? candidate.retry : candidate.call;
        // Most rules do not match most calls, so this comes before any allocation.
        if (variant === null || !isActive(candidate, query) || !candidate.fits(query.facts)) continue;
        winners ??= { ...decided };
        // A call counts whatever an earlier rule did with it: calls 1 and 2 in two rules are the first and the second.
        const strike = countAndPick({ ...candidate, draws: variant.draws }, query);
        if (!strike.applies) continue;
        for (const slot of slotsLeft(candidate, variant, winners)) {
          winners[slot] = makeWinner(candidate, variant, slot, strike, query);
        }
      }
      // Each winner was made by the compiled slot of its name.
      return (winners ?? decided) as Decision;
    },
  };

  function makeWinner(
    { rule, key }: CompiledRule,
    { slots }: Variant,
    slot: SlotName,
    strike: RuleMatch,
    query: RuleQuery,
  ): Winner<SlotName> {
    const make = slots[slot];
    if (make === undefined) throw new Error(`Rule ${rule.id} has no slot ${slot}.`);
    const draw = (label: string) => hashToUnit(query.seed, rule.id, strike.phone, strike.drawn, slot, label);
    const text = options.describe?.(rule) ?? explainMatch(rule, strike);
    const { file, line } = rule.source;
    return {
      effect: make(draw),
      explain: { by, id: rule.id, ...(file !== '' && { file, line }), text },
      key: `${key}/${perKey(rule.per, query.facts)}`,
      per: rule.per ?? 'account',
    };
  }
}

/** Decides by several rule sets in order of precedence: header, run-time rules, scenario, magic, defaults. */
export function decideAcross(layers: readonly (RuleSet | null | undefined)[], query: RuleQuery): Decision {
  return layers.reduce<Decision>((decided, layer) => layer?.decide(query, decided) ?? decided, undecided);
}

/** Returns where the share of each rule begins, from 0 to 1: those of one action at one hook follow each other. */
export function sharesBefore(rules: readonly LoadedRule[]): ReadonlyMap<LoadedRule, number> {
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

function isRetry({ attempts }: Facts): boolean {
  return typeof attempts === 'number' && attempts > 1;
}

interface RuleSurroundings {
  readonly scope: string;
  readonly sinceMs: number | undefined;
  readonly shareFrom: number;
}

function compileRule(rule: LoadedRule, hook: Hook, { scope, ...around }: RuleSurroundings): CompiledRule {
  const call = compileVariant(rule, hook);
  const again = aboutRetries(rule);
  return {
    rule,
    hook,
    call,
    retry: again === rule ? call : again && compileVariant(again, hook),
    fits: compileMatch(rule.match),
    // Without a beginning, a rule also applies to a clock that was set to the past since.
    fromMs: rule.active?.after === undefined ? -Infinity : parseOffset(rule.active.after),
    toMs: rule.active?.before === undefined ? Infinity : parseOffset(rule.active.before),
    ...around,
    answersInstead: rule.then.respond !== undefined && answersInstead(rule.then.respond),
    afterAnswer: hook === 'api.any' && rule.match?.status !== undefined,
    key: `${scope}/${rule.id}`,
  };
}

function compileVariant({ pick, then }: LoadedRule, hook: Hook): Variant {
  const slots = compileSlots(then);
  return {
    slots,
    slotNames: SLOTS_BY_HOOK[hook].filter((slot) => slots[slot] !== undefined),
    draws: pick?.chance !== undefined || /\d[a-z]+\.\.\d/.test(JSON.stringify(then)),
  };
}

type Winners = Partial<Record<SlotName, Winner<SlotName>>>;

/**
 * Returns the slots that a rule can still set. `respond` and `refuse` both replace an acceptance, one for the call and one
 * for the recipient, so if one of them is set, later rules cannot set the other.
 */
function slotsLeft({ answersInstead: isAnswer }: CompiledRule, variant: Variant, winners: Winners): SlotName[] {
  const { respond, refuse } = winners as Decision;
  const answered = respond?.effect.accept === false;
  return variant.slotNames.filter((slot) => {
    if (slot === 'refuse' && answered) return false;
    if (slot === 'respond' && refuse && isAnswer) return false;
    return winners[slot] === undefined;
  });
}

function isActive(compiled: CompiledRule, query: RuleQuery): boolean {
  const sinceMs = query.nowMs - (compiled.sinceMs ?? query.activationMs);
  if (sinceMs < compiled.fromMs || sinceMs >= compiled.toMs) return false;
  // `api.any` is evaluated before a call is carried out, and again, with its status, when the response is known.
  return compiled.hook !== 'api.any' || compiled.afterAnswer === (query.facts.status !== undefined);
}
