import { parseDuration } from '../time/duration.js';
import type { Job } from '../domain/rows.js';
import { startsWork } from '../language/calls.js';
import type { Scheduler } from '../time/scheduler.js';
import { parseOffset } from '../language/durations.js';
import type { LoadedScenario } from '../language/scenario.js';
import type { Actions, Instant, TimelineEntry } from '../language/timeline.js';

/** `{ kind: 'inbound', inbound: … }`. The action of a window has the number beside it, a step its id. */
export type TimelineAction = {
  [K in keyof Actions]: {
    readonly kind: K;
    readonly phone?: string;
    readonly id?: string;
    readonly interrupts?: true;
  } & Readonly<Record<K, Actions[K]>>;
}[keyof Actions];

function actionOf(all: TimelineEntry): TimelineAction {
  const { at: _at, every: _every, count: _count, ...entry } = all;
  const kind = Object.keys(entry).find((key) => key !== 'phone' && key !== 'id');
  return { kind, ...entry, ...(interrupts(all) && { interrupts: true }) } as unknown as TimelineAction;
}

/** True for a step after a rule that need not wait for the response to a call: another call at once, or a restart. */
const interrupts = ({ at, ...entry }: TimelineEntry): boolean =>
  typeof at !== 'string' && 'after' in at && ('restart' in entry || ('http' in entry && at.by === undefined));

type Step = Pick<Job, 'kind' | 'data'>;

/**
 * True if a step does not wait for the response to this call. A restart waits unless the call starts the work of an application, like a
 * timer: it can be repeated after the application has ended.
 */
export function isInterrupted(current: Step, by: Step): boolean {
  const [{ interrupts: mayInterrupt, kind }, action] = [by.data as TimelineAction, current.data as TimelineAction];
  const isCall = current.kind === 'scenario.step' && action.kind === 'http';
  if (by.kind !== 'scenario.step' || mayInterrupt !== true || !isCall) return false;
  return kind === 'http' || startsWork(action.http);
}

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** Milliseconds from activation; null if the step waits for a call or a rule. */
export function firstOffsetMs(at: Instant, activatedAtMs: number): number | null {
  if (typeof at === 'string') return parseOffset(at);
  if ('after' in at) return null;
  // The next time that the clock shows this time in UTC.
  const [hours = 0, minutes = 0] = at.clock.split(':').map(Number);
  const offsetMs = (hours * 60 + minutes) * MINUTE_MS - (activatedAtMs % DAY_MS);
  return offsetMs >= 0 ? offsetMs : offsetMs + DAY_MS;
}

/** Jobs of this subject are cancelled when another scenario is activated. */
export const scenarioSubject = 'scenario';

/** Call it only inside a write. */
export function scheduleSteps(scheduler: Scheduler, entry: TimelineEntry, firstMs: number): void {
  const data = actionOf(entry);
  for (const ms of repetitionsMs(entry)) scheduler.schedule('scenario.step', scenarioSubject, firstMs + ms, data);
  if (data.interrupts) scheduler.hurryTo(firstMs, (current) => isInterrupted(current, { kind: 'scenario.step', data }));
}

function repetitionsMs({ every, count = 1 }: TimelineEntry): number[] {
  const everyMs = every === undefined ? 0 : parseDuration(every);
  return Array.from({ length: count }, (_, time) => time * everyMs);
}

/**
 * The last timeline entry, check or end of an active rule. Entries that wait for a call do not count, because their
 * time is unknown.
 */
export function lastOffsetMs(
  { timeline, expect, rules }: Pick<LoadedScenario, 'timeline' | 'expect' | 'rules'>,
  activatedAtMs = 0,
): number {
  const steps = timeline.map((entry) => {
    const firstMs = firstOffsetMs(entry.at, activatedAtMs);
    return firstMs === null ? 0 : firstMs + (repetitionsMs(entry).at(-1) ?? 0);
  });
  const checks = expect.flatMap(({ at }) => (at === 'finish' ? [] : (firstOffsetMs(at, activatedAtMs) ?? [])));
  const rulesEnd = rules.flatMap(({ active }) => active?.before ?? []).map(parseOffset);
  return [...steps, ...checks, ...rulesEnd].reduce((latest, atMs) => Math.max(latest, atMs), 0);
}
