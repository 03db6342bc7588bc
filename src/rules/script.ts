import { activeId } from '../domain/words.js';
import type { ActiveScenario, RunTimeRule } from '../domain/rows.js';
import { admit, undecided, type Decision, type RuleSet, type Winner } from './effects.js';
import { magicRules } from './magic-numbers.js';
import { hashToUnit } from './pick.js';
import { compileRules, decideAcross } from './rules.js';
import { scheduleSteps } from './timeline.js';
import { awaitedOf, parseOffset } from '../language/durations.js';
import type { LoadedScenario, Defaults } from '../language/scenario.js';
import type { Hook } from '../language/hooks.js';
import type { Facts } from '../language/match.js';
import type { LoadedRule } from '../language/rule.js';
import type { Scheduler } from '../time/scheduler.js';
import type { AccountStore } from '../store/account-store.js';

/** Prefix of the counters of rules added at run time, which separates them from the counters of the scenario. */
const runTimeScope = 'run-time';

interface Active {
  readonly row: ActiveScenario;
  readonly scenario: LoadedScenario;
  readonly rules: RuleSet;
  readonly defaults: RuleSet;
}

export class Script {
  readonly #store: AccountStore;
  readonly #now: () => number;
  readonly #seed: number | string;
  #active: Active | null = null;
  #runTime: RuleSet | null = null;
  readonly #scheduler: Scheduler;

  constructor(parts: { store: AccountStore; scheduler: Scheduler; now: () => number; seed: number | string }) {
    this.#store = parts.store;
    this.#scheduler = parts.scheduler;
    this.#now = parts.now;
    this.#seed = parts.seed;
    this.reload();
  }

  get active(): ActiveScenario | null {
    return this.#active?.row ?? null;
  }

  get scenario(): LoadedScenario | null {
    return this.#active?.scenario ?? null;
  }

  /** Account time. */
  get activatedAtMs(): number | null {
    return this.active?.activatedAtMs ?? null;
  }

  /** Rules added at run time take precedence. */
  get #layers(): readonly RuleSet[] {
    return [this.#runTime, this.#active?.rules].filter((layer) => layer !== undefined && layer !== null);
  }

  get asksAfterAnswer(): boolean {
    return this.#layers.some((layer) => layer.asksAfterAnswer);
  }

  /** Includes rules added at run time, but no magic numbers. */
  hasRulesAt(hook: Hook): boolean {
    return this.#layers.some((layer) => layer.speaksAt(hook));
  }

  get windowOpenByDefault(): boolean {
    return this.#active?.scenario.defaults.window === 'open';
  }

  reload(): void {
    const { scenarios, rules } = this.#store.tables;
    const row = scenarios.get(activeId);
    this.#active = row ? compiled(row) : null;
    // Newest first: the latest rule takes precedence.
    const added: RunTimeRule[] = [...rules.all()].reverse();
    const sinceMs = new Map(added.map(({ id, addedAtMs }) => [id, addedAtMs]));
    const loaded = added.map(({ rule }) => rule as LoadedRule);
    const options = { scope: runTimeScope, sinceMs: ({ id }: LoadedRule) => sinceMs.get(id) };
    this.#runTime = loaded.length === 0 ? null : compileRules(loaded, options);
  }

  /** Counts calls, so call it only inside a write. The header's own rules take precedence. */
  decide(hook: Hook, facts: Facts, prefer: RuleSet | null = null): Decision {
    const magic = magicRules(facts);
    if (prefer === null && this.#runTime === null && this.#active === null && magic === null) return undecided;
    const layers = [prefer, this.#runTime, this.#active?.rules, magic, this.#active?.defaults];
    const nowMs = this.#now();
    const decision = decideAcross(layers, {
      hook,
      facts,
      counters: { increment: (key) => this.#count(key, (value) => value + 1) },
      nowMs,
      activationMs: this.activatedAtMs ?? this.#store.meta.createdAtMs,
      seed: this.#drawSeed,
    });
    if (decision !== undecided) this.#noteHits(decision, facts, nowMs);
    if (this.active) this.#beginSteps(this.active, hook, decision);
    return decision;
  }

  #beginSteps(active: ActiveScenario, hook: Hook, decision: Decision): void {
    for (const [index, entry] of (active.scenario as LoadedScenario).timeline.entries()) {
      const { at } = entry;
      if (typeof at === 'string' || !('after' in at) || active.begun?.includes(index) === true) continue;
      const awaited = awaitedOf(at.after);
      const applied = Object.values(decision).map(({ explain }) => explain.id);
      if ('hook' in awaited ? awaited.hook !== hook : !applied.includes(awaited.rule)) continue;
      this.#store.tables.scenarios.patch(active, { begun: [...(active.begun ?? []), index] });
      const atMs = this.#now() + (at.by === undefined ? 0 : parseOffset(at.by));
      scheduleSteps(this.#scheduler, entry, atMs);
    }
  }

  /** Random choices outside of rules: equal arguments give equal numbers. */
  draw(...parts: readonly (string | number)[]): number {
    return hashToUnit(this.#drawSeed, ...parts);
  }

  get #drawSeed(): number | string {
    return this.#active?.scenario.seed ?? this.#seed;
  }

  /** Call it only inside a write. */
  admit({ effect, key }: Winner<'limit'>): { allowed: boolean; retryAfterMs: number } {
    const id = `limit/${key}`;
    const { state, ...admission } = admit(effect, this.#store.tables.counters.get(id)?.value, this.#now());
    this.#count(id, () => state);
    return admission;
  }

  #count(id: string, next: (value: number) => number): number {
    const { counters } = this.#store.tables;
    const known = counters.get(id);
    if (known) return counters.patch(known, { value: next(known.value) }).value;
    return counters.insert({ id, seq: this.#store.nextSeq(), value: next(0) }).value;
  }

  /** A later rule with that id starts at zero. Call it only inside a write. */
  forget(id: string): void {
    const { counters, ruleHits } = this.#store.tables;
    const mine = [`${runTimeScope}/${id}/`, `limit/${runTimeScope}/${id}/`];
    for (const row of [...counters.all()]) if (mine.some((start) => row.id.startsWith(start))) counters.delete(row);
    const struck = ruleHits.get(id);
    if (struck) ruleHits.delete(struck);
  }

  #noteHits(decision: Decision, facts: Facts, atMs: number): void {
    const struck = new Set<string>();
    for (const winner of Object.values(decision)) if (winner.explain.by === 'rule') struck.add(winner.explain.id);
    const { ruleHits } = this.#store.tables;
    const subject = String(facts.phone ?? facts.url ?? facts.name ?? '');
    for (const id of struck) {
      const known = ruleHits.get(id);
      if (known) ruleHits.patch(known, { hits: known.hits + 1, atMs, subject });
      else ruleHits.insert({ id, seq: this.#store.nextSeq(), hits: 1, atMs, subject });
    }
  }
}

function compiled(row: ActiveScenario): Active {
  const scenario = row.scenario as LoadedScenario;
  return { row, scenario, rules: compileRules(scenario.rules), defaults: compileDefaults(scenario.defaults) };
}

/**
 * The default of the window is not a slot, because it applies only to customers who never wrote: see
 * `windowOpenByDefault`.
 */
function compileDefaults({ lifecycle, review }: Defaults): RuleSet {
  const source = { file: '', line: 0 };
  const sends = lifecycle === undefined ? [] : (['message.send', 'otp.send'] as const);
  const rules: LoadedRule[] = [
    ...sends.map((when) => ({ id: 'defaults.lifecycle', when, then: { lifecycle }, source }) as LoadedRule),
    ...(review ? [{ id: 'defaults.review', when: 'template.review', then: { review }, source } as const] : []),
  ];
  return compileRules(rules, { by: 'default', describe: ({ id }) => `The scenario's ${id} applies.` });
}
