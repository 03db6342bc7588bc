/**
 * The engine: decides which rule sets which slot. Rules are compiled once, by hook. At a hook, each slot is set by the first
 * rule that matches and has it.
 */
import { answersInstead, compileSlots, type CompiledSlots } from './compile-slots.js';
import { undecided, type Decision, type RuleQuery, type RuleSet, type Winner } from './effects.js';
import { aboutRetries, hashToUnit, countAndPick, explainMatch, isShare, perKey, type RuleMatch } from './rule-match.js';
import { compileMatch, type MatchTest } from '../engine/match.js';
import { parseOffset } from '../schema/durations.js';
import { HOOKS, hooksOf, SLOTS_ASKED_AT, type Facts, type Hook } from '../schema/hooks.js';
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

interface CompiledRule {
  readonly rule: LoadedRule;
  readonly hook: Hook;
  readonly slots: CompiledSlots;
  readonly slotNames: readonly SlotName[];
  readonly fits: MatchTest;
  readonly fromMs: number;
  readonly toMs: number;
  /** Start of both offsets; undefined for the activation. */
  readonly sinceMs: number | undefined;
  /** Whether its `respond` replaces the operation. */
  readonly answersInstead: boolean;
  /** `api.any` only: evaluated after the response is known. */
  readonly afterAnswer: boolean;
  /** Whether it has a random choice: a chance, or a range of durations. */
  readonly draws: boolean;
  readonly key: string;
}

/**
 * Compiles matchers, durations and slots once.
 * @throws RegexError, DurationError, RangeError for rules that were not checked by a loader
 */
export function compileRules(rules: readonly LoadedRule[], options: RuleSetOptions = {}): RuleSet {
  const by = options.by ?? 'rule';
  const { scope = by } = options;
  const scopeOf = typeof scope === 'string' ? () => scope : scope;
  const compiled = rules.flatMap((rule) =>
    (options.everywhere === true ? HOOKS : hooksOf(rule))
      .flatMap((hook) => compileVariants(rule, hook, { scope: scopeOf(rule), sinceMs: options.sinceMs?.(rule) }))
      .filter(({ slotNames }) => slotNames.length > 0),
  );
  const byHook = new Map(HOOKS.map((hook) => [hook, compiled.filter((one) => one.hook === hook)]));

  return {
    rules,
    speaksAt: (hook) => byHook.get(hook)?.length !== 0,
    asksAfterAnswer: compiled.some(({ afterAnswer }) => afterAnswer),
    decide(query, decided = undecided) {
      let winners: Winners | undefined;
      for (const candidate of byHook.get(query.hook) ?? []) {
        // Most rules do not match most calls, so this comes before any allocation.
        if (!isActive(candidate, query) || !candidate.fits(query.facts, query)) continue;
        winners ??= { ...decided };
        // A call counts whatever an earlier rule did with it: nth 1 and nth 2 in two rules are the first and the second.
        const strike = countAndPick(candidate, query);
        if (!strike.applies) continue;
        for (const slot of slotsLeft(candidate, winners)) winners[slot] = makeWinner(candidate, slot, strike, query);
      }
      // Each winner was made by the compiled slot of its name.
      return (winners ?? decided) as Decision;
    },
  };

  function makeWinner(compiled: CompiledRule, slot: SlotName, strike: RuleMatch, query: RuleQuery): Winner<SlotName> {
    const { rule, slots, key } = compiled;
    const make = slots[slot];
    if (make === undefined) throw new Error(`Rule ${rule.id} has no slot ${slot}.`);
    const draw = (label: string) => hashToUnit(query.seed, rule.id, strike.recipient, strike.drawn, slot, label);
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

/** Compiles a rule to one variant, or to two if it differs for retries: then only one of them matches a call. */
function compileVariants(...[rule, ...rest]: Parameters<typeof compileRule>): ReturnType<typeof compileRule>[] {
  const again = aboutRetries(rule);
  if (again === rule) return [compileRule(rule, ...rest)];
  const variants = [{ ...compileRule(rule, ...rest), retry: false }];
  if (again !== null) variants.push({ ...compileRule(again, ...rest), retry: true });
  return variants.map(({ retry, fits, ...variant }) => ({
    ...variant,
    fits: (facts, around) => isRetry(facts) === retry && fits(facts, around),
  }));
}

function isRetry({ attempt }: Facts): boolean {
  return typeof attempt === 'number' && attempt > 1;
}

interface RuleSurroundings {
  readonly scope: string;
  readonly sinceMs: number | undefined;
}

function compileRule(rule: LoadedRule, hook: Hook, { scope, sinceMs }: RuleSurroundings): CompiledRule {
  const slots = compileSlots(rule.then);
  return {
    rule,
    hook,
    slots,
    slotNames: SLOTS_ASKED_AT[hook].filter((slot) => slots[slot] !== undefined),
    fits: compileMatch(rule.match),
    // Without a beginning, a rule also applies to a clock that was set to the past since.
    fromMs: rule.active?.from === undefined ? -Infinity : parseOffset(rule.active.from),
    toMs: rule.active?.to === undefined ? Infinity : parseOffset(rule.active.to),
    sinceMs,
    answersInstead: rule.then.respond !== undefined && answersInstead(rule.then.respond),
    afterAnswer: hook === 'api.any' && rule.match?.status !== undefined,
    draws: (rule.pick?.chance !== undefined && !isShare(rule)) || /\d[a-z]+\.\.\d/.test(JSON.stringify(rule.then)),
    // A rule that applies to a submission twice, to its response and its review, counts them separately.
    key: hook === 'template.review' && rule.when !== hook ? `${scope}/${rule.id}/review` : `${scope}/${rule.id}`,
  };
}

type Winners = Partial<Record<SlotName, Winner<SlotName>>>;

/**
 * Returns the slots that a rule can still set. `respond` and `refuse` both replace an acceptance, one for the call and one
 * for the recipient, so if one of them is set, later rules cannot set the other.
 */
function slotsLeft(compiled: CompiledRule, winners: Winners): SlotName[] {
  const { respond, refuse } = winners as Decision;
  const answered = respond?.effect.accept === false;
  return compiled.slotNames.filter((slot) => {
    if (slot === 'refuse' && answered) return false;
    if (slot === 'respond' && refuse && compiled.answersInstead) return false;
    return winners[slot] === undefined;
  });
}

function isActive(compiled: CompiledRule, query: RuleQuery): boolean {
  const sinceMs = query.nowMs - (compiled.sinceMs ?? query.activationMs);
  if (sinceMs < compiled.fromMs || sinceMs >= compiled.toMs) return false;
  // `api.any` is evaluated before a call is carried out, and again, with its status, when the response is known.
  return compiled.hook !== 'api.any' || compiled.afterAnswer === (query.facts.status !== undefined);
}
