/** Some expectations were evaluated at their time, the others are evaluated now. */
import type { Account } from '../account/account.js';
import { formatDuration } from '../time/duration.js';
import { judge, type Judgement, type SaidRecord, MOST_RECORDS } from '../rules/expectations.js';
import { lastOffsetMs, scenarioSubject, type TimelineAction } from '../rules/timeline.js';
import { methodOf } from '../language/calls.js';
import { onRecords, readsApplication } from '../language/checks.js';
import { parseOffset } from '../language/durations.js';
import type { Expectation, StateExpectation } from '../language/expect.js';
import type { ExpectSubject } from '../language/hooks.js';
import type { LoadedScenario } from '../language/scenario.js';
import { eventNotes } from './event-notes.js';
import { judgeState } from './judge-state.js';
import { type Participation, participationOf } from './participation.js';
import { evidenceWithin, sinceActivation } from './expectation-records.js';

/** A play asks for it between any two jobs. */
const lastOffsets = new WeakMap<LoadedScenario, { readonly activatedAtMs: number; readonly lastMs: number }>();

function lastMsOf(scenario: LoadedScenario, activatedAtMs: number): number {
  const known = lastOffsets.get(scenario);
  if (known?.activatedAtMs === activatedAtMs) return known.lastMs;
  const lastMs = lastOffsetMs(scenario, activatedAtMs);
  lastOffsets.set(scenario, { activatedAtMs, lastMs });
  return lastMs;
}

/** Account time; null if no scenario is active. */
export function scenarioEndMs({ script, store }: Account): number | null {
  const { scenario, activatedAtMs } = script;
  if (!scenario || activatedAtMs === null) return null;
  const planned = [...store.tables.jobs.list('subject', scenarioSubject)].map(({ dueMs }) => dueMs);
  return Math.max(activatedAtMs + lastMsOf(scenario, activatedAtMs), ...planned);
}

/** An expectation of the application's state fails here, because nothing reads it. */
export function judgeNow(account: Account, expectation: Expectation | StateExpectation): Judgement {
  const { scenario, active, activatedAtMs } = account.script;
  if (readsApplication(expectation)) return judgeState(expectation, null, activatedAtMs ?? 0);
  const checks = onRecords(scenario?.expect ?? []);
  return judge(expectation, evidenceWithin(account, sinceActivation(account)), {
    checks,
    steps: active?.played ?? [],
    activatedAtMs: activatedAtMs ?? 0,
  });
}

const judgementId = (index: number): string => `expect[${index}]`;

/** Call it only inside a write. */
export function keepJudgement({ store }: Account, index: number, judgement: Judgement): void {
  const id = judgementId(index);
  const { judgements } = store.tables;
  const before = judgements.get(id);
  if (before) judgements.patch(before, { judgement });
  else judgements.insert({ id, seq: store.nextSeq(), judgement });
}

/** `url` and `page` are paths on the sandbox. */
export interface FailedRecord extends SaidRecord {
  readonly url: string;
  readonly page: string;
}

export interface VerdictCheck extends Omit<Judgement, 'records'> {
  /** The records that failed the check, at most 10; omitted if there are none. */
  readonly records?: readonly FailedRecord[];
}

export interface Verdict {
  readonly scenario: string;
  readonly passed: boolean;
  /** The reason why it has not passed although no check failed: the application made no call, or accepted no event. */
  readonly reason?: Participation['reason'];
  readonly note?: string;
  readonly checks: readonly VerdictCheck[];
  /** Skipped steps, and events without an endpoint if a failed check may need them; omitted if there are none. */
  readonly warnings?: readonly string[];
}

export function verdictOf(account: Account): Verdict | null {
  const { scenario, active } = account.script;
  if (!scenario || !active) return null;
  const checks: VerdictCheck[] = [
    ...((active.unmet ?? []) as Judgement[]).map(({ records: _, ...check }) => check),
    ...scenario.expect.map((expectation, index) => checkOf(account, expectation, index)),
    ...notPlayed(account),
  ];
  const { passes, ...participation } = participationOf(account);
  const failed = checks.filter((check) => !check.passed);
  const isRed = !passes || failed.length > 0;
  const warnings = [...(active.passedOver ?? []), ...eventNotes(account, sinceActivation(account), isRed)];
  return {
    scenario: scenario.name,
    passed: !isRed,
    ...participation,
    checks,
    ...(warnings.length > 0 && { warnings }),
  };
}

function checkOf(account: Account, expectation: Expectation | StateExpectation, index: number): VerdictCheck {
  const stored: Judgement | undefined = account.store.tables.judgements.get(judgementId(index))?.judgement;
  const { records, ...check } = stored ?? judgeNow(account, expectation);
  if (readsApplication(expectation)) return check;
  if (stored === undefined && expectation.at !== 'finish') {
    return { ...check, passed: false, found: `not evaluated yet: ${check.at} is in the future` };
  }
  return { ...check, ...(records && { records: records.map((record) => linked(account, expectation.that, record)) }) };
}

export interface UnmetExpectation {
  readonly check: VerdictCheck;
  readonly isForbidden: boolean;
  /** True if it allows some, but fewer. */
  readonly isLimit: boolean;
  /** True if all that is forbidden was sent so soon after the step that it may have been under way. */
  readonly isSoon: boolean;
  /** True if some of it was sent more than a minute after the step. */
  readonly isLate: boolean;
  /** The customers whose messages failed the check; none if other records did. */
  readonly customers: readonly string[];
}

/** Account milliseconds in which an application gets to know of a step, and after which it must know. */
const [soonMs, lateMs] = [1_000, 60_000];

/** Returns how long after a step the messages that failed a check were sent, in account milliseconds; none without a step. */
function delaysOf({ store, script }: Account, step: string | undefined, { records = [] }: VerdictCheck): number[] {
  const { atMs } = script.active?.played?.find(({ id }) => id === step) ?? {};
  if (atMs === undefined) return [];
  return records.map(({ id }) => (store.tables.messages.get(id)?.createdAtMs ?? Infinity) - atMs);
}

/** A state that is read at the end is neither met nor unmet before. */
export function unmetExpectations(account: Account): UnmetExpectation[] {
  return (account.script.scenario?.expect ?? []).flatMap((expectation, index) => {
    const isUnread = readsApplication(expectation) && !account.store.tables.judgements.get(judgementId(index));
    const check = checkOf(account, expectation, index);
    if (check.passed || isUnread) return [];
    const { max, min = 0, count, after } = expectation as Partial<Expectation>;
    const isForbidden = count === 0 || (max !== undefined && min === 0);
    const isLimit = isForbidden && (count ?? max ?? 0) > 0;
    const { records = [] } = check;
    const customers = [...new Set(records.flatMap(({ id }) => account.store.tables.messages.get(id)?.customer ?? []))];
    const delays = isForbidden ? delaysOf(account, after, check) : [];
    // A check shows its first records only: there may be later ones.
    const isShown = delays.length > 0 && delays.length < MOST_RECORDS;
    const isSoon = isShown && delays.every((ms) => ms < soonMs);
    const isLate = delays.some((ms) => ms > lateMs && ms < Infinity);
    return [{ check, isForbidden, isLimit, isSoon, isLate, customers }];
  });
}

/** The calls of users that are still to come: without them, the application has not shown much. */
function notPlayed({ store, script }: Account): VerdictCheck[] {
  const { scenario, activatedAtMs } = script;
  const startMs = activatedAtMs ?? 0;
  const endMs = typeof scenario?.ends === 'string' ? startMs + parseOffset(scenario.ends) : Infinity;
  const left = [...store.tables.jobs.list('subject', scenarioSubject)].flatMap(({ kind, dueMs, data }) => {
    const step = kind === 'scenario.step' && dueMs <= endMs ? (data as TimelineAction) : null;
    if (step?.kind !== 'http' && step?.kind !== 'until') return [];
    const what = step.kind === 'http' ? `${methodOf(step.http)} ${step.http.url}` : 'until';
    return [`${what} at +${formatDuration(dueMs - startMs)}`];
  });
  if (left.length === 0) return [];
  const more = left.length > MOST_LEFT ? [`and ${left.length - MOST_LEFT} more`] : [];
  const found = `not played yet: ${[...left.slice(0, MOST_LEFT), ...more].join(', ')}`;
  return [{ passed: false, at: 'finish', that: 'timeline', expected: 'all calls of users are made', found }];
}

const MOST_LEFT = 5;

/** Addresses in the control plane and the web UI. An attempt is part of its delivery. */
const PLACES: Readonly<Record<ExpectSubject, readonly [url: string, panel: string]>> = {
  requests: ['requests/', 'requests'],
  webhooks: ['webhooks?id=', 'webhooks/endpoints'],
  attempts: ['deliveries/', 'webhooks/deliveries'],
  deliveries: ['deliveries/', 'webhooks/deliveries'],
  messages: ['messages/', 'messages'],
  sent: ['messages/', 'messages'],
  received: ['messages/', 'messages'],
  templates: ['templates/', 'templates'],
  otps: ['otps/', 'messages/codes'],
  events: ['events/', 'webhooks/events'],
};

function linked({ key, store }: Account, that: ExpectSubject, { id, text }: SaidRecord): FailedRecord {
  const [at, panel] = PLACES[that];
  const inbound = PLACES[that][1] === 'messages' && store.tables.messages.get(id)?.origin === 'inbound';
  const customer = encodeURIComponent(store.tables.messages.get(id)?.customer ?? '');
  const url = inbound ? `customers/${customer}/messages?message_id=${id}` : `${at}${id}`;
  return { id, text, url: `/_sandbox/${url}`, page: `/_sandbox/ui#/${encodeURIComponent(key)}/${panel}/${id}` };
}
