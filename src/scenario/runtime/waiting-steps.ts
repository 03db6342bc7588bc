/** Steps of the timeline: scheduled at the activation, or at the call that they wait for. */
import { activeId, type ActiveScenario } from '../../domain/script-state.js';
import type { AccountStore } from '../../store/tables/account-store.js';
import type { Scheduler } from '../../time/scheduler.js';
import type { Decision } from '../engine/effects.js';
import { compileTimeline, type Awaited, type TimelineItem } from '../engine/timeline.js';
import type { Hook } from '../language/hooks.js';
import type { LoadedScenario } from '../language/scenario.js';

/** The subject of the jobs of the scenario, which are cancelled when another one is activated. */
export const scenarioSubject = 'scenario';

/** Schedules a step of the timeline with its repetitions. Call it only inside a write. */
export function scheduleSteps(
  { scheduler }: { readonly scheduler: Scheduler },
  { offsetsMs, action }: TimelineItem,
  firstMs: number,
): void {
  for (const offsetMs of offsetsMs) scheduler.schedule('scenario.step', scenarioSubject, firstMs + offsetMs, action);
}

/** Returns the steps that still wait for a call. */
export function waitingSteps({ scenario, begun = [] }: ActiveScenario): TimelineItem[] {
  return compileTimeline((scenario as LoadedScenario).timeline).filter(
    ({ index, start }) => 'awaited' in start && !begun.includes(index),
  );
}

interface Call {
  readonly hook: Hook;
  readonly decision: Decision;
  readonly nowMs: number;
}

/**
 * Schedules the steps that wait for this call, or for a rule that applies to it. Call it only inside a write.
 * @returns those that still wait
 */
export function beginSteps(
  { store, scheduler }: { readonly store: AccountStore; readonly scheduler: Scheduler },
  waiting: readonly TimelineItem[],
  { hook, decision, nowMs }: Call,
): TimelineItem[] {
  const { scenarios } = store.tables;
  const applied = new Set(Object.values(decision).map(({ explain }) => explain.id));
  const hasCome = (awaited: Awaited) => ('hook' in awaited ? awaited.hook === hook : applied.has(awaited.rule));
  return waiting.filter((item) => {
    const row = scenarios.get(activeId);
    if (!row || !('awaited' in item.start) || !hasCome(item.start.awaited)) return true;
    scenarios.patch(row, { begun: [...(row.begun ?? []), item.index] });
    scheduleSteps({ scheduler }, item, nowMs + item.start.byMs);
    return false;
  });
}
