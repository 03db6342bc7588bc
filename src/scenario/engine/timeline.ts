/** The timeline as a list of actions with their offsets. */
import { parseOffset } from './ranges.js';
import type { LoadedScenario, TimelineEntry } from '../language/scenario.js';

type Actions = Required<Omit<TimelineEntry, 'at'>>;
/** What happens: `{ kind: 'inbound', inbound: … }` and so on. */
export type TimelineAction = {
  [K in keyof Actions]: { readonly kind: K } & Readonly<Record<K, Actions[K]>>;
}[keyof Actions];

export interface TimelineItem {
  /** From activation, in milliseconds of account time. */
  readonly atMs: number;
  readonly action: TimelineAction;
}

/** In the order in which they happen; at the same instant in the order of the file. */
export function compileTimeline(entries: readonly TimelineEntry[]): TimelineItem[] {
  return entries
    .map((entry): TimelineItem => ({ atMs: parseOffset(entry.at), action: actionOf(entry) }))
    .toSorted((a, b) => a.atMs - b.atMs);
}

function actionOf({ inbound, template, emit, message, window, webhook }: TimelineEntry): TimelineAction {
  if (inbound !== undefined) return { kind: 'inbound', inbound };
  if (template !== undefined) return { kind: 'template', template };
  if (emit !== undefined) return { kind: 'emit', emit };
  if (message !== undefined) return { kind: 'message', message };
  if (window !== undefined) return { kind: 'window', window };
  if (webhook !== undefined) return { kind: 'webhook', webhook };
  throw new RangeError('A timeline entry needs one of inbound, template, emit, message, window, webhook.');
}

/** The offset at which a scenario is over: its last timeline entry, judgement or end of an active rule, in milliseconds. */
export function lastOffsetMs({
  timeline,
  expect,
  rules,
}: Pick<LoadedScenario, 'timeline' | 'expect' | 'rules'>): number {
  const offsets = [
    ...timeline.map(({ at }) => at),
    ...expect.map(({ at }) => at).filter((at) => at !== 'finish'),
    ...rules.flatMap(({ active }) => active?.to ?? []),
  ];
  return offsets.map(parseOffset).reduce((latest, atMs) => Math.max(latest, atMs), 0);
}
