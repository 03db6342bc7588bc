import { Document, isCollection } from 'yaml';
import { isoTime } from '../domain/instant.js';
import { windowLengthMs } from '../domain/customer.js';
import type { RequestRecord, RunTimeRule } from '../domain/rows.js';
import { parseOffset } from '../language/durations.js';
import type { LoadedRule, Rule } from '../language/rule.js';
import { bodyOf } from '../domain/request.js';
import { evidenceWithin } from '../stage/expectation-records.js';
import type { Scenario } from '../language/scenario.js';
import type { TimelineEntry } from '../language/timeline.js';
import { formatDuration } from '../time/duration.js';
import { actionsOf, openedWindows, type Action } from './actions.js';
import { expectationsOf } from './expectations.js';
import { givenAt } from './given.js';
import { doesNotFit, type Recording, type Steps } from './recording.js';

export const scenarioName = 'recorded';

/** The limit of a scenario file. */
const mostActions = 1000;

export function* recordedScenario(recording: Recording): Steps<Scenario> {
  const { account, startMs, scenario, within } = recording;
  const requests = [...account.store.tables.requests.all()].filter(within);
  const actions = actionsOf(recording);
  yield;
  const opened = openedWindows(recording);
  const atStart = opened.filter((action) => mayStartOpen(action, requests, startMs));
  const given = givenAt(recording);
  const customers = [
    ...given.customers,
    ...atStart
      .map(({ what }) => what.phone ?? '')
      .filter((phone) => !given.customers.some((customer) => customer.phone === phone))
      .map((phone) => ({ phone, window: 'open' as const })),
  ];
  const tooMany = actions.length + opened.length - atStart.length > mostActions;
  if (tooMany) throw doesNotFit(`it has more than ${mostActions} actions of customers and reviewers`);
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
    clock: isoTime(startMs),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...filled(lists),
  };
}

/** The window was open for long enough, and no earlier call found it closed. */
function mayStartOpen({ atMs, seq, what }: Action, requests: readonly RequestRecord[], startMs: number): boolean {
  const found = requests.some(
    (row) =>
      row.seq < seq &&
      row.error === 'send_failed' &&
      (bodyOf(row.request) as { to?: unknown } | undefined)?.to === what.phone,
  );
  return !found && atMs - startMs < windowLengthMs;
}

/** If the clock stood still between a call and an action, a second passes: the action must not precede the call. */
function timelineOf(actions: readonly Action[], requests: readonly RequestRecord[], startMs: number): TimelineEntry[] {
  let addedMs = 0;
  let next = 0;
  return actions.map(({ atMs, seq, what }) => {
    let stoodStill = false;
    for (let row = requests[next]; row && (row.atMs < atMs || (row.atMs === atMs && row.seq < seq));) {
      stoodStill ||= row.atMs === atMs;
      next += 1;
      row = requests[next];
    }
    if (stoodStill) addedMs += 1000;
    return { at: `+${formatDuration(atMs - startMs + addedMs)}`, ...what };
  });
}

/** Rules added at run time come first, the newest at the top, because of their precedence. */
function appliedRules({ account, startMs, endMs }: Recording): Rule[] {
  const { script, store } = account;
  const { ruleHits, rules } = store.tables;
  const applied = ({ id }: LoadedRule) => {
    const last = ruleHits.get(id);
    return last !== undefined && last.atMs >= startMs && last.hits > 0;
  };
  const added = ([...rules.all()] as RunTimeRule[]).reverse().map((row) => ({
    rule: row.rule as LoadedRule,
    sinceMs: row.addedAtMs ?? startMs,
  }));
  const ofScenario = (script.scenario?.rules ?? []).map((rule) => ({ rule, sinceMs: script.activatedAtMs ?? startMs }));
  const ids = new Set<string>();
  return [...added, ...ofScenario]
    .filter(({ rule, sinceMs }) => applied(rule) && sinceMs <= endMs)
    .map(({ rule, sinceMs }, index) => {
      const { source: _source, id: wanted, active, ...rest } = rule;
      // Two layers may use one id; a file may not.
      const id = ids.has(wanted) ? `${wanted}-${index + 1}` : wanted;
      ids.add(id);
      return { id, ...rest, ...filled({ active: activeFrom(active, sinceMs - startMs) }) };
    });
}

/** Offsets of a rule count from its activation; here, they count from the start of the recording. */
function activeFrom(active: Rule['active'] = {}, sinceMs: number): Required<Rule>['active'] {
  const moved = (offset: string) => `+${formatDuration(Math.max(parseOffset(offset) + sinceMs, 0))}`;
  const { before, after = sinceMs > 0 ? '+0s' : undefined } = active;
  return {
    ...(after !== undefined && { after: moved(after) }),
    ...(before !== undefined && { before: moved(before) }),
  };
}

function filled<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, inner]) => Object.keys(inner as object).length > 0),
  ) as Partial<T>;
}

export function scenarioText(scenario: Scenario, { missing }: Recording): string {
  const document = new Document(scenario);
  for (const name of ['rules', 'timeline', 'expect']) flowEntries(document.get(name, true));
  for (const name of ['templates', 'customers', 'webhooks']) flowEntries(document.getIn(['given', name], true));
  const defaults = document.get('defaults', true);
  if (isCollection(defaults)) defaults.flow = true;
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
