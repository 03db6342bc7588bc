/**
 * Moves the clock of an account while an application runs alongside, so that a scenario of a day takes seconds. Time passes
 * as on the machine, and jumps to the next due job when the application is idle.
 */
import { isProgress, type Job } from '../../domain/job.js';
import type { JobKind } from '../../domain/words.js';
import { counted } from '../../domain/in-words.js';
import type { Sandbox } from '../../sandbox.js';
import { scenarioEndMs } from '../../scenario/run/verdict.js';
import { formatDuration, parseDuration } from '../../time/duration.js';
import { pause } from '../../time/pause.js';
import { parseOffset } from '../../scenario/schema/durations.js';
import type { Activity } from './activity.js';

type Account = ReturnType<Sandbox['accounts']['of']>;

/** `flow`: time passes as on the machine between jumps. `frozen`: the clock only jumps. */
export const PACES = ['flow', 'frozen'] as const;
export type Pace = (typeof PACES)[number];

export interface FlowParts {
  readonly account: Account;
  readonly activity: Activity;
  readonly pace: Pace;
  /** Longest wait for the first call before time begins to pass, in machine milliseconds. */
  readonly graceMs: number;
  /** Called when time begins to pass. */
  readonly onBegin: () => void;
  /** Whether the scenario waits for a state of the application, while time may pass. */
  readonly awaitsState: () => boolean;
  /** Whether to return at the end of the scenario. Otherwise, only `signal` ends the flow. */
  readonly toTheEnd: boolean;
  readonly signal: AbortSignal;
  /** Called each time the flow checks the account. */
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  /** Account time since the activation, in milliseconds. */
  readonly elapsedMs: number;
  /** The end of the scenario, in milliseconds since the activation. */
  readonly lengthMs: number;
  /** A description of what the run waits for. */
  readonly waitsFor: string;
}

/** What ended a run, in words, and what was still due. */
export interface RunEnd {
  /** Account time since the activation, in milliseconds. */
  readonly atMs: number;
  readonly because: string;
  readonly stillDue: readonly string[];
}

/** `taken-over`: another client moved the clock, so the flow stopped. */
export type FlowEnd = RunEnd | 'aborted' | 'taken-over';

const LOOK_AGAIN_MS = 10;
/** An application that is idle for this long at the end has nothing more to do. */
const LAST_PAUSE_MS = 600;
/** Additional idle time for each hour that a jump skips, because the application may itself be waiting. */
const PER_HOUR_MS = 20;
const HOUR_MS = 3_600_000;
/** After its last planned instant, a scenario that keeps itself busy ends after this many jumps. */
const MOST_JUMPS = 1_000;
/** So long that the account's own timer never jumps: this flow does. */
const NEVER_MS = 86_400_000;

/** @throws ServiceError if the clock runs in a loop */
export async function flow(parts: FlowParts): Promise<FlowEnd> {
  const { account, activity, pace, signal, toTheEnd, onProgress } = parts;
  const { clock, script, scheduler, store } = account;
  const startMs = script.activatedAtMs ?? clock.now();
  const say = async (waitsFor: string): Promise<void> => {
    const endMs = Math.max(clock.now(), scenarioEndMs(account) ?? 0);
    onProgress({ elapsedMs: clock.now() - startMs, lengthMs: endMs - startMs, waitsFor });
    await pause(LOOK_AGAIN_MS);
  };
  if (!(await firstCall(parts, () => say("the application's first call")))) return 'aborted';
  if (clock.mode !== 'frozen' || clock.now() !== startMs || scheduler.advancing) {
    parts.onBegin();
    return 'taken-over';
  }
  const setClock = (nowMs: number): void => {
    if (pace === 'frozen') store.setClock(clock.set('frozen', 1, nowMs));
    else store.setClock(clock.set('auto', 1, nowMs, NEVER_MS));
    scheduler.rearm();
    scheduler.runDue();
  };
  let frozenMs = clock.now();
  const isTakenOver = () =>
    scheduler.advancing ||
    (pace === 'frozen' ? clock.mode !== 'frozen' || clock.now() !== frozenMs : clock.state.quietMs !== NEVER_MS);
  setClock(startMs);
  parts.onBegin();
  activity.note();
  let jumps = 0;
  while (!signal.aborted) {
    if (isTakenOver()) return 'taken-over';
    const busy = scheduler.busy && !(parts.awaitsState() && account.dispatcher.inFlight.count === 0);
    if (activity.isBusy || busy) {
      await say('the application to respond');
      continue;
    }
    const nowMs = clock.now();
    const end = endOf(account, startMs);
    const due = [...store.tables.jobs.all()].reduce((earliest, { dueMs }) => Math.min(earliest, dueMs), Infinity);
    if (toTheEnd && !scheduler.busy && (end.nextMs > end.limitMs || jumps > MOST_JUMPS)) {
      if (activity.idleMs < Math.max(LAST_PAUSE_MS, activity.patienceMs)) {
        await say('the application to be idle');
        continue;
      }
      const seen = activity.changes;
      await scheduler.advance(Math.max(nowMs, end.targetMs));
      frozenMs = clock.now();
      if (seen === activity.changes && endOf(account, startMs).nextMs > end.limitMs)
        return ended(account, startMs, activity, jumps > MOST_JUMPS ? 'it went on by itself' : end.because);
      if (!isTakenOver()) continue;
      if (pace === 'flow') setClock(clock.now());
      continue;
    }
    const aheadMs = Math.max(0, due - nowMs);
    if (due === Infinity || activity.idleMs < activity.patienceMs + (aheadMs / HOUR_MS) * PER_HOUR_MS) {
      await say(toTheEnd ? 'the application to be idle' : 'the command to end');
      continue;
    }
    if (nowMs > (scenarioEndMs(account) ?? 0)) jumps += 1;
    setClock(Math.max(nowMs, due));
    frozenMs = clock.now();
    // What is delivered to the application is noticed by itself; a command and an application that polls find out later.
    if (!toTheEnd || activity.reads > 0) activity.note();
  }
  return 'aborted';
}

/**
 * Waits until the application has called and is idle. Until then, the clock stands still: otherwise, the timeline would
 * start without the application. Returns false if the run was stopped.
 */
async function firstCall({ activity, graceMs, signal }: FlowParts, lookAgain: () => Promise<void>): Promise<boolean> {
  for (let leftMs = graceMs; leftMs > 0 && !signal.aborted; leftMs -= LOOK_AGAIN_MS) {
    const hasCalled = activity.calls > 0 && !activity.isBusy;
    if (hasCalled && (activity.idleMs > 5 * LOOK_AGAIN_MS || activity.calls === activity.reads)) break;
    await lookAgain();
  }
  return !signal.aborted;
}

interface End {
  /** When the next job is due for which the run waits; infinite if there is none. */
  readonly nextMs: number;
  /** The run ends when nothing is due until then. */
  readonly limitMs: number;
  /** The instant at which it ends. */
  readonly targetMs: number;
  readonly because: string;
}

/** Deadlines are no reason to wait, and neither are the hourly retries to a receiver that is down. */
function endOf(account: Account, startMs: number): End {
  const { store, clock } = account;
  const plannedMs = Math.max(scenarioEndMs(account) ?? 0, startMs);
  const waitsFor = ({ kind, dueMs }: Job): boolean =>
    isProgress(kind) ||
    kind === 'scenario.step' ||
    kind === 'scenario.judge' ||
    (kind === 'delivery.attempt' && dueMs <= plannedMs + HOUR_MS);
  const jobs = [...store.tables.jobs.all()].filter(waitsFor);
  const nextMs = jobs.reduce((earliest, { dueMs }) => Math.min(earliest, dueMs), Infinity);
  const ends = account.script.scenario?.ends;
  if (typeof ends === 'string') {
    const atMs = startMs + parseOffset(ends);
    return { nextMs, limitMs: atMs, targetMs: atMs, because: `ends: ${ends}` };
  }
  if (ends !== undefined) {
    const atMs = Math.max(plannedMs, latestMs(account)) + parseDuration(ends.quiet);
    return { nextMs, limitMs: atMs, targetMs: atMs, because: `nothing happened for ${ends.quiet}` };
  }
  const targetMs = Math.max(plannedMs, clock.now());
  return { nextMs, limitMs: endOfWaitMs, targetMs, because: 'nothing was due' };
}

const endOfWaitMs = Number.MAX_SAFE_INTEGER;

/** The account time of the latest record. */
function latestMs({ store: { tables } }: Account): number {
  const times = [
    ...[...tables.requests.all()].map(({ atMs }) => atMs),
    ...[...tables.attempts.all()].map(({ atMs }) => atMs),
    ...[...tables.events.all()].map(({ createdAtMs }) => createdAtMs),
  ];
  return times.reduce((latest, atMs) => Math.max(latest, atMs), 0);
}

const WORDS: Readonly<Partial<Record<JobKind, string>>> = {
  'message.status': 'status report',
  'template.review': 'review',
  'template.move': 'template change',
  'customer.writes': 'message of a customer',
  'event.append': 'event',
  'delivery.attempt': 'delivery attempt',
  'scenario.step': 'timeline step',
  'scenario.judge': 'check',
};

function ended({ store, clock }: Account, startMs: number, activity: Activity, because: string): RunEnd {
  const counts = new Map<string, number>();
  for (const { kind } of store.tables.jobs.all()) {
    const word = WORDS[kind];
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const idle = formatDuration(Math.round(activity.idleMs));
  return {
    atMs: clock.now() - startMs,
    because: `${because}, and the application was idle for ${idle}`,
    stillDue: [...counts].map(([word, count]) => counted(count, word)),
  };
}
