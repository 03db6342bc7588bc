/** The timeline as a list of actions, each with its times. */
import { parseDuration } from '../../time/duration.js';
import { awaitedOf, parseOffset, type Instant } from '../schema/durations.js';
import { ACTIONS, type Actions, type TimelineEntry } from '../schema/timeline.js';
import type { LoadedScenario } from '../schema/scenario.js';

/** An action: `{ kind: 'inbound', inbound: … }` and so on; that of a window has the number beside it. */
export type TimelineAction = {
  [K in keyof Actions]: { readonly kind: K; readonly phone?: string } & Readonly<Record<K, Actions[K]>>;
}[keyof Actions];

/** What an entry waits for: the first call at a hook, or the first time that a rule applies. */
export type Awaited = ReturnType<typeof awaitedOf>;

export interface TimelineItem {
  /** Its index in the scenario. */
  readonly index: number;
  readonly start:
    { readonly atMs: number } | { readonly awaited: Awaited; readonly byMs: number } | { readonly minuteOfDay: number };
  /** Offsets of the repetitions from the first time, in milliseconds; 0 for the first. */
  readonly offsetsMs: readonly number[];
  readonly action: TimelineAction;
}

/** Compiles the entries in the order in which they happen, as far as that is known; at one instant, in file order. */
export function compileTimeline(entries: readonly TimelineEntry[]): TimelineItem[] {
  return entries
    .map((entry, index): TimelineItem => {
      const everyMs = entry.every === undefined ? 0 : parseDuration(entry.every);
      const offsetsMs = Array.from({ length: entry.count ?? 1 }, (_, time) => time * everyMs);
      return { index, start: startOf(entry.at), offsetsMs, action: actionOf(entry) };
    })
    .toSorted((a, b) => orderOf(a) - orderOf(b));
}

function orderOf({ start }: TimelineItem): number {
  return 'atMs' in start ? start.atMs : Infinity;
}

function startOf(at: Instant): TimelineItem['start'] {
  if (typeof at === 'string') return { atMs: parseOffset(at) };
  if ('after' in at) return { awaited: awaitedOf(at.after), byMs: at.by === undefined ? 0 : parseOffset(at.by) };
  const [hours = '0', minutes = '0'] = at.clock.split(':');
  return { minuteOfDay: Number(hours) * 60 + Number(minutes) };
}

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** Returns the next time that the clock shows a time in UTC. */
export function clockInstantMs(minuteOfDay: number, activatedAtMs: number): number {
  const todayMs = Math.floor(activatedAtMs / DAY_MS) * DAY_MS + minuteOfDay * MINUTE_MS;
  return todayMs >= activatedAtMs ? todayMs : todayMs + DAY_MS;
}

function actionOf(entry: TimelineEntry): TimelineAction {
  const kind = ACTIONS.find((name) => entry[name] !== undefined);
  if (kind === undefined) throw new RangeError(`A timeline entry needs one of ${ACTIONS.join(', ')}.`);
  const { phone } = entry;
  return { kind, [kind]: entry[kind], ...(phone !== undefined && { phone }) } as unknown as TimelineAction;
}

/**
 * Returns the offset at which a scenario ends, in milliseconds: its last timeline entry, check or end of an active rule.
 * Entries that wait for a call do not count, because their time is unknown.
 * @param activatedAtMs for entries that name a time of the day
 */
export function lastOffsetMs(
  { timeline, expect, rules }: Pick<LoadedScenario, 'timeline' | 'expect' | 'rules'>,
  activatedAtMs = 0,
): number {
  const steps = compileTimeline(timeline).map(({ start, offsetsMs }) => {
    const last = offsetsMs.at(-1) ?? 0;
    if ('atMs' in start) return start.atMs + last;
    if ('awaited' in start) return 0;
    return clockInstantMs(start.minuteOfDay, activatedAtMs) - activatedAtMs + last;
  });
  const offsets = [
    ...expect.map(({ at }) => at).filter((at) => at !== 'finish'),
    ...rules.flatMap(({ active }) => active?.before ?? []),
  ];
  return [...steps, ...offsets.map(parseOffset)].reduce((latest, atMs) => Math.max(latest, atMs), 0);
}
