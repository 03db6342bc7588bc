/**
 * Moves the clock of an account while an application runs alongside, so that a scenario of a day takes seconds. Time passes
 * as on the machine, and jumps to the next due job when the application is idle.
 */
import type { Account } from '../account/account.js';
import { isProgress } from '../time/jobs.js';
import type { Job } from '../domain/rows.js';
import type { JobKind } from '../domain/words.js';
import { scenarioEndMs } from '../stage/verdict.js';
import { parseOffset } from '../language/durations.js';
import type { ClockMode } from '../time/account-clock.js';
import { parseDuration } from '../time/duration.js';
import { pause } from '../time/system-clock.js';
import type { Activity } from './activity.js';

/** `flow`: time passes as on the machine between jumps. `frozen`: the clock only jumps. */
export const PACES = ['flow', 'frozen'] as const;
export type Pace = (typeof PACES)[number];

export interface FlowParts {
  readonly account: Account;
  readonly activity: Activity;
  readonly pace: Pace;
  /** Whether the scenario waits for a state of the application, while time may pass. */
  readonly awaitsState: () => boolean;
  /** Whether to return at the end of the scenario. Otherwise, only `signal` ends the flow. */
  readonly toTheEnd: boolean;
  /** Whether an application that is idle at the end may be stopped; by default after some time. */
  readonly mayEnd?: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** What ended a run, in words, and the jobs that were still due. */
export interface RunEnd {
  /** Account time since the activation, in milliseconds. */
  readonly atMs: number;
  readonly because: string;
  readonly stillDue: readonly JobKind[];
  /** Machine milliseconds for which the application was idle; null without an application. */
  readonly idleMs: number | null;
}

const LOOK_AGAIN_MS = 10;
/** More of the time before a flow is not made up for, so that the first steps of a timeline stay apart. */
const LONGEST_HELD_MS = 1_000;
/** An application that is idle for this long at the end has nothing more to do. */
const LAST_PAUSE_MS = 600;
/** The most of such a time that a scenario names which is not skipped, in machine milliseconds. */
const LONGEST_QUIET_MS = 15_000;
/** Additional idle time for each hour that a jump skips, because the application may itself be waiting. */
const PER_HOUR_MS = 20;
const HOUR_MS = 3_600_000;
/** After its last planned instant, a scenario that keeps itself busy ends after this many jumps. */
const MOST_JUMPS = 1_000;
/** So long that the account's own timer never jumps: this flow does. */
const NEVER_MS = 86_400_000;

/** Stops the clock at the activation, atomically, whatever mode the scenario sets: the run moves it. */
export function freeze({ store, clock, script, scheduler }: Account): void {
  store.update(() => {
    store.setClock(clock.set('frozen', 1, script.activatedAtMs ?? clock.now()));
  });
  // A clock that jumps when the application is quiet has set a timer for it.
  scheduler.rearm();
}

/** Whether nobody has moved the clock since the activation. */
export function isStill({ clock, script, scheduler }: Account): boolean {
  return clock.mode === 'frozen' && clock.now() === script.activatedAtMs && !scheduler.advancing;
}

/** The clock mode of the account; with `quietMs`, the clock jumps after the application has been idle for that long. */
interface RunningClock {
  readonly mode: ClockMode;
  readonly quietMs?: number;
}

export function setPace(account: Account, { mode, quietMs }: RunningClock, atMs = account.clock.now()): void {
  const { store, clock, scheduler } = account;
  store.setClock(clock.set(mode, 1, atMs, quietMs));
  scheduler.rearm();
  scheduler.runDue();
}

/** @returns null if it was aborted, or another client moved the clock. @throws ServiceError if the clock runs in a loop */
export async function flow({ account, activity, pace, signal, toTheEnd, ...parts }: FlowParts): Promise<RunEnd | null> {
  const { clock, scheduler, store } = account;
  let frozenMs = clock.now();
  const jumpTo = (atMs: number): void => {
    setPace(account, pace === 'frozen' ? { mode: 'frozen' } : { mode: 'auto', quietMs: NEVER_MS }, atMs);
    frozenMs = clock.now();
    // The idle time before a jump is not a pause of an application that now reacts to a delivery.
    if (account.dispatcher.inFlight.count > 0) activity.note();
  };
  const isTakenOver = () =>
    scheduler.advancing ||
    (pace === 'frozen' ? clock.mode !== 'frozen' || clock.now() !== frozenMs : clock.state.quietMs !== NEVER_MS);
  // The application has waited since its call, also while the clock stood still: on a busy machine, for long.
  const heldMs = clock.mode === 'frozen' && activity.calls > 0 ? Math.min(activity.restMs, LONGEST_HELD_MS) : 0;
  jumpTo(pace === 'frozen' ? frozenMs : frozenMs + Math.round(heldMs));
  activity.note();
  const lastPauseMs = parts.mayEnd ? activity.patienceMs : Math.max(LAST_PAUSE_MS, quietMsOf(account));
  let [jumps, attempts] = [0, 0];
  for (;;) {
    await pause(LOOK_AGAIN_MS);
    if (signal.aborted || isTakenOver()) return null;
    if (account.dispatcher.inFlight.count > 0 || store.tables.attempts.size !== attempts) activity.note();
    attempts = store.tables.attempts.size;
    const awaitsState = parts.awaitsState() && account.dispatcher.inFlight.count === 0;
    if (activity.isBusy || (scheduler.busy && !awaitsState)) continue;
    const nowMs = clock.now();
    const end = endOf(account);
    const isEndless = jumps > MOST_JUMPS;
    if (toTheEnd && !scheduler.busy && (end.isReached || isEndless)) {
      const isTimeUp = end.isFixed && nowMs >= end.atMs;
      if (!isTimeUp && !activity.isIdleFor(Math.max(lastPauseMs, activity.patienceMs))) continue;
      if (!isTimeUp && parts.mayEnd && !(await parts.mayEnd())) continue;
      const seen = activity.changes;
      await scheduler.advance(Math.max(nowMs, end.atMs));
      const isStuck = activity.idleMs < lastPauseMs;
      if ((isTimeUp || seen === activity.changes || isStuck) && (isEndless || endOf(account).isReached)) {
        const idleMs = Math.max(0, Math.round(activity.idleMs));
        // The wait for the application is not a part of the story, and differs from run to run.
        const lastMs = pace === 'flow' ? clock.now() - idleMs : clock.now();
        const endMs = account.script.scenario?.ends === undefined ? Math.max(end.plannedMs, lastMs) : end.atMs;
        return runEnd(account, endMs, isEndless ? 'it went on by itself' : end.because, idleMs);
      }
      jumpTo(clock.now());
      continue;
    }
    // A step that waits for a state of the application is due already, and only what comes later may end its wait.
    const later = [...store.tables.jobs.all()].filter(({ dueMs }) => !awaitsState || dueMs > nowMs);
    const due = later.reduce((earliest, { dueMs }) => Math.min(earliest, dueMs), Infinity);
    const skippedHours = Math.max(0, due - nowMs) / HOUR_MS;
    if (due === Infinity || !activity.isIdleFor(activity.patienceMs + skippedHours * PER_HOUR_MS)) continue;
    if (nowMs > end.plannedMs) jumps += 1;
    jumpTo(Math.max(nowMs, due));
    // What is delivered to the application is noticed by itself; a command and an application that polls find out later.
    if (!toTheEnd || activity.reads > 0) activity.note();
  }
}

/** A scenario that ends when nothing happens for a time gives the application that time, and does not jump over it. */
function quietMsOf({ script }: Account): number {
  const ends = script.scenario?.ends;
  return typeof ends === 'object' ? Math.min(parseDuration(ends.quiet), LONGEST_QUIET_MS) : 0;
}

/** Plays an account to its end at once: there is no application whose calls would take time. */
export async function playOut(account: Account): Promise<RunEnd> {
  const { clock, scheduler } = account;
  for (let jumps = 0; ;) {
    const end = endOf(account);
    const nowMs = clock.now();
    const isOver = end.isReached || jumps > MOST_JUMPS;
    if (nowMs > end.plannedMs) jumps += 1;
    await scheduler.advance(Math.max(nowMs, isOver ? end.atMs : end.nextMs));
    if (isOver && (jumps > MOST_JUMPS || endOf(account).isReached))
      return runEnd(account, clock.now(), end.because, null);
  }
}

/**
 * Waits until the application has called and is idle. Until then, the clock stands still: otherwise, the timeline would
 * start without the application.
 * @param graceMs the longest wait, in machine milliseconds
 * @param onlyLooksMs the wait for an application that has only read
 */
export async function firstCall(
  { activity, signal }: Pick<FlowParts, 'activity' | 'signal'>,
  graceMs: number,
  onlyLooksMs = 0,
): Promise<void> {
  let lookedMs = 0;
  for (let leftMs = graceMs; leftMs > 0 && !signal.aborted; leftMs -= LOOK_AGAIN_MS) {
    const hasCalled = activity.calls > 0 && !activity.isBusy;
    // One that was asked to wait does so in the time that begins now.
    const rests = activity.idleMs < 0 || activity.idleMs > 5 * LOOK_AGAIN_MS;
    if (hasCalled && (activity.changes > 0 ? rests : lookedMs >= onlyLooksMs)) return;
    if (hasCalled) lookedMs += LOOK_AGAIN_MS;
    await pause(LOOK_AGAIN_MS);
  }
}

interface End {
  /** Whether nothing is due any more for which the run waits. */
  readonly isReached: boolean;
  /** When the next such job is due; infinite if there is none. */
  readonly nextMs: number;
  /** The last instant that the scenario plans. */
  readonly plannedMs: number;
  /** The instant at which the run ends. */
  readonly atMs: number;
  /** Whether it is a time that the scenario names: then a busy application does not delay it. */
  readonly isFixed: boolean;
  readonly because: string;
}

/** Deadlines are no reason to wait, and neither are the hourly retries to a receiver that is down. */
function endOf(account: Account): End {
  const { store, clock, script } = account;
  const startMs = script.activatedAtMs ?? 0;
  const plannedMs = Math.max(scenarioEndMs(account) ?? 0, startMs);
  const isAwaited = ({ kind, dueMs }: Job): boolean =>
    isProgress(kind) ||
    kind === 'scenario.step' ||
    kind === 'scenario.judge' ||
    (kind === 'delivery.attempt' && dueMs <= plannedMs + HOUR_MS);
  const awaited = [...store.tables.jobs.all()].filter(isAwaited);
  const nextMs = awaited.reduce((earliest, { dueMs }) => Math.min(earliest, dueMs), Infinity);
  const ends = script.scenario?.ends;
  if (ends === undefined) {
    const atMs = Math.max(plannedMs, clock.now());
    return { isReached: nextMs === Infinity, nextMs, plannedMs, atMs, isFixed: false, because: 'nothing was due' };
  }
  const [atMs, because] =
    typeof ends === 'string'
      ? [startMs + parseOffset(ends), `ends: ${ends}`]
      : [Math.max(plannedMs, latestMs(account)) + parseDuration(ends.quiet), `nothing happened for ${ends.quiet}`];
  return { isReached: nextMs > atMs, nextMs, plannedMs, atMs, isFixed: typeof ends === 'string', because };
}

function latestMs({ store: { tables } }: Account): number {
  const times = [
    ...[...tables.requests.all(), ...tables.attempts.all()].map(({ atMs }) => atMs),
    ...[...tables.events.all()].map(({ createdAtMs }) => createdAtMs),
  ];
  return times.reduce((latest, atMs) => Math.max(latest, atMs), 0);
}

function runEnd({ store, script }: Account, endMs: number, because: string, idleMs: number | null): RunEnd {
  const stillDue = [...store.tables.jobs.all()].map(({ kind }) => kind);
  return { atMs: endMs - (script.activatedAtMs ?? 0), because, stillDue, idleMs };
}
