/**
 * Writes a recording as a scenario, which repeats the actions of the outside world and expects those of the
 * application.
 */
import { Document, isCollection, isMap, type Node } from 'yaml';
import { isoTime } from '../domain/instant.js';
import { windowLengthMs } from '../domain/customer.js';
import { bodyOf, type RequestRecord } from '../domain/request-record.js';
import { evidenceWithin } from '../scenario/runtime/expectation-records.js';
import type { Scenario } from '../scenario/language/scenario.js';
import type { TimelineEntry } from '../scenario/language/timeline.js';
import { formatDuration } from '../time/duration.js';
import type { Steps } from '../time/turns.js';
import { actionsOf, openedWindows, type Action } from './actions.js';
import { expectationsOf } from './expectations.js';
import { givenAt } from './given.js';
import type { Recording } from './recording.js';
import { appliedRules } from './rules.js';

export const scenarioName = 'recorded';

export function* recordedScenario(recording: Recording): Steps<Scenario> {
  const { account, startMs, scenario, within } = recording;
  const requests = [...account.store.tables.requests.all()].filter(within);
  const actions = actionsOf(recording);
  const opened = openedWindows(recording);
  const atStart = opened.filter((action) => mayStartOpen(action, requests, startMs));
  const given = givenAt(recording);
  const customers = [
    ...given.customers,
    ...atStart
      .map(({ what }) => what.window?.phone ?? '')
      .filter((phone) => !given.customers.some((customer) => customer.phone === phone))
      .map((phone) => ({ phone, window: 'open' as const })),
  ];
  const later = opened.filter((action) => !atStart.includes(action));
  const timeline = [...actions, ...later].sort((a, b) => a.atMs - b.atMs || a.seq - b.seq);
  const lists = {
    given: filled({ ...given, customers }),
    rules: appliedRules(recording),
    timeline: timelineOf(timeline, requests, startMs),
    expect: yield* expectationsOf(evidenceWithin(account, within)),
  };
  const { defaults = {}, seed } = scenario ?? {};
  return {
    version: 1,
    name: scenarioName,
    description: `Recorded from ${isoTime(startMs)} to ${isoTime(recording.endMs)}.`,
    ...(seed !== undefined && { seed }),
    clock: { mode: 'frozen', start: isoTime(startMs) },
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...filled(lists),
  };
}

/**
 * Returns whether a window may be open from the start: it was open for long enough, and no earlier call found it
 * closed.
 */
function mayStartOpen({ atMs, seq, what }: Action, requests: readonly RequestRecord[], startMs: number): boolean {
  const found = requests.some(
    (row) =>
      row.seq < seq &&
      row.error === 'send_failed' &&
      (bodyOf(row.request) as { to?: unknown } | undefined)?.to === what.window?.phone,
  );
  return !found && atMs - startMs < windowLengthMs;
}

/** If the clock stood still between a call and an action, a second passes: the action must not precede the call. */
function timelineOf(actions: readonly Action[], requests: readonly RequestRecord[], startMs: number): TimelineEntry[] {
  let addedMs = 0;
  let done = 0;
  return actions.map(({ atMs, seq, what }) => {
    const before = requests.findLastIndex((row) => row.atMs < atMs || (row.atMs === atMs && row.seq < seq)) + 1;
    if (requests.slice(done, before).some((row) => row.atMs === atMs)) addedMs += 1000;
    done = Math.max(done, before);
    return { at: `+${formatDuration(atMs - startMs + addedMs)}`, ...what };
  });
}

/** Omits empty parts. */
function filled<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, inner]) => Object.keys(inner as object).length > 0),
  ) as Partial<T>;
}

/** Formats a file, in which each entry of a list has its own line. */
export function scenarioText(scenario: Scenario, { missing }: Recording): string {
  const document = new Document(scenario);
  for (const name of ['clock', 'defaults', 'given', 'rules', 'timeline', 'expect']) {
    const node = document.get(name, true) as Node | undefined;
    if (name === 'given' && isMap(node)) {
      for (const { value } of node.items) flowEntries(value);
    } else if (name === 'clock' || name === 'defaults') {
      if (isCollection(node)) node.flow = true;
    } else {
      flowEntries(node);
    }
  }
  const note =
    missing === 0
      ? ''
      : `# ${missing} records were removed because of the account's limits before this was recorded, so they are missing here.\n`;
  return note + document.toString({ lineWidth: 150, flowCollectionPadding: true });
}

function flowEntries(list: unknown): void {
  if (!isCollection(list)) return;
  for (const item of list.items) if (isCollection(item)) item.flow = true;
}
