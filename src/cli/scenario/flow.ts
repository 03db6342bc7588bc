/**
 * Moves the clock of an account while an application runs alongside, so that a scenario of a day takes seconds. Time passes
 * as on the machine, and jumps to the next due job when the application is idle.
 */
import { counted } from '../../domain/text.js';
import type { JobKind } from '../../domain/words.js';
import { formatDuration } from '../../time/duration.js';
import { pause } from '../../time/pause.js';
import type { Activity } from './activity.js';
import { endOf, setPace, type Account } from './run-clock.js';

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
  readonly signal: AbortSignal;
  /** Called with what the run waits for, each time that the flow checks the account. */
  readonly onWait: (waitsFor: string) => void;
}

/** What ended a run, in words, and what was still due. */
export interface RunEnd {
  /** Account time since the activation, in milliseconds. */
  readonly atMs: number;
  readonly because: string;
  readonly stillDue: readonly string[];
}

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

/** @returns null if it was aborted, or another client moved the clock. @throws ServiceError if the clock runs in a loop */
export async function flow({ account, activity, pace, signal, toTheEnd, ...parts }: FlowParts): Promise<RunEnd | null> {
  const { clock, scheduler, store } = account;
  let frozenMs = clock.now();
  const jumpTo = (atMs: number): void => {
    setPace(account, pace === 'frozen' ? { mode: 'frozen' } : { mode: 'auto', quietMs: NEVER_MS }, atMs);
    frozenMs = clock.now();
  };
  const isTakenOver = () =>
    scheduler.advancing ||
    (pace === 'frozen' ? clock.mode !== 'frozen' || clock.now() !== frozenMs : clock.state.quietMs !== NEVER_MS);
  const wait = (waitsFor: string): Promise<void> => {
    parts.onWait(waitsFor);
    return pause(LOOK_AGAIN_MS);
  };
  jumpTo(frozenMs);
  activity.note();
  let jumps = 0;
  while (!signal.aborted && !isTakenOver()) {
    const isWaiting = parts.awaitsState() && account.dispatcher.inFlight.count === 0;
    if (activity.isBusy || (scheduler.busy && !isWaiting)) {
      await wait('the application to respond');
      continue;
    }
    const nowMs = clock.now();
    const end = endOf(account);
    if (toTheEnd && !scheduler.busy && (end.isReached || jumps > MOST_JUMPS)) {
      if (!activity.isIdleFor(Math.max(LAST_PAUSE_MS, activity.patienceMs))) {
        await wait('the application to be idle');
        continue;
      }
      const seen = activity.changes;
      await scheduler.advance(Math.max(nowMs, end.atMs));
      const isOver = jumps > MOST_JUMPS || endOf(account).isReached;
      const idle = formatDuration(Math.max(0, Math.round(activity.idleMs)));
      const because = `${jumps > MOST_JUMPS ? 'it went on by itself' : 'nothing was due'}, and the application was idle for ${idle}`;
      const isStuck = activity.idleMs < LAST_PAUSE_MS;
      if ((seen === activity.changes || isStuck) && isOver) return runEnd(account, because);
      jumpTo(clock.now());
      continue;
    }
    const due = store.tables.jobs.all().reduce((earliest, { dueMs }) => Math.min(earliest, dueMs), Infinity);
    const skippedHours = Math.max(0, due - nowMs) / HOUR_MS;
    if (due === Infinity || !activity.isIdleFor(activity.patienceMs + skippedHours * PER_HOUR_MS)) {
      await wait(toTheEnd ? 'the application to be idle' : 'the command to end');
      continue;
    }
    if (nowMs > end.plannedMs) jumps += 1;
    jumpTo(Math.max(nowMs, due));
    // What is delivered to the application is noticed by itself; a command and an application that polls find out later.
    if (!toTheEnd || activity.reads > 0) activity.note();
  }
  return null;
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
    if (isOver && (jumps > MOST_JUMPS || endOf(account).isReached)) return runEnd(account, 'nothing was due');
  }
}

/**
 * Waits until the application has called and is idle. Until then, the clock stands still: otherwise, the timeline would
 * start without the application.
 * @param graceMs the longest wait, in machine milliseconds
 */
export async function firstCall(
  { activity, signal, onWait }: Pick<FlowParts, 'activity' | 'signal' | 'onWait'>,
  graceMs: number,
): Promise<void> {
  for (let leftMs = graceMs; leftMs > 0 && !signal.aborted; leftMs -= LOOK_AGAIN_MS) {
    const hasCalled = activity.calls > 0 && !activity.isBusy;
    if (hasCalled && (activity.idleMs > 5 * LOOK_AGAIN_MS || activity.calls === activity.reads)) return;
    onWait("the application's first call");
    await pause(LOOK_AGAIN_MS);
  }
}

const WORDS: Readonly<Partial<Record<JobKind, string>>> = {
  'message.status': 'status report',
  'template.review': 'review',
  'customer.writes': 'message of a customer',
  'delivery.attempt': 'delivery attempt',
  'scenario.step': 'timeline step',
  'scenario.judge': 'check',
};

function runEnd({ store, clock, script }: Account, because: string): RunEnd {
  const counts = new Map<string, number>();
  for (const { kind } of store.tables.jobs.all()) {
    const word = WORDS[kind];
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return {
    atMs: clock.now() - (script.activatedAtMs ?? 0),
    because,
    stillDue: [...counts].map(([word, count]) => counted(count, word)),
  };
}
