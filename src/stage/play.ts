/**
 * Plays the active scenario of an account to its end. Time passes as on the machine, and jumps to the next due job when
 * the application is idle, so that a scenario of a day takes seconds.
 */
import type { Account } from '../account/account.js';
import { ServiceError } from '../domain/errors.js';
import type { Advanced } from '../time/advance.js';
import { parseDuration } from '../time/duration.js';
import { leastPauseMs, type KnownPace } from '../time/quiet.js';
import { pause, within } from '../time/system-clock.js';
import { sinkNameOf } from '../webhooks/direct.js';
import { endOf, playEnd, type PlayEnd } from './end.js';
import { judgeFinalState } from './scenario-jobs.js';

/** `flow`: time passes as on the machine between jumps. `frozen`: the clock only jumps. */
export const paces = ['flow', 'frozen'] as const;

export interface PlayOptions {
  readonly pace?: (typeof paces)[number] | undefined;
  /** The shortest idle time of the application before time jumps, in machine milliseconds. */
  readonly quietMs?: number | undefined;
  readonly known?: KnownPace | undefined;
  /** Until this time after the activation, in account milliseconds, the clock does not wait for a call that failed or is open. */
  readonly hurriesMs?: number | undefined;
  readonly maxRealMs?: number | undefined;
  /** Time to wait for the first call of an application that was just started. Default: none. */
  readonly graceMs?: number;
  /** True if there is no application whose calls take time, whatever has called so far. */
  readonly isAlone?: boolean;
  /** True if an application that is idle at the end may be stopped; by default after some time. */
  readonly mayEnd?: () => Promise<boolean>;
  readonly signal?: AbortSignal;
}

const lookAgainMs = 10;
const startStepMs = 1_000;
/** Time to wait for an application that has only read: it probably registers its endpoint next. */
const onlyLooksMs = 1_000;
/** More of the time before a play is not made up for, so that the first steps of a timeline stay apart. */
const longestHeldMs = 1_000;
/** An application that is idle for this long at the end has nothing more to do. */
const lastPauseMs = 600;
/** The most of such a time that a scenario names which is not skipped, in machine milliseconds. */
const longestQuietMs = 15_000;
/** After its last planned instant, a scenario that keeps itself busy ends after this many jumps. */
const mostJumps = 100;

type AdvanceTo = (targetMs: number) => Promise<Advanced>;

/** Leaves the clock frozen at the end of the scenario. @returns null if `signal` stopped it */
export async function play(account: Account, options: PlayOptions = {}): Promise<PlayEnd | null> {
  const { scheduler, generation, quiet, application } = account;
  const generationEnd = generation.signal;
  const isOver = () => options.signal?.aborted === true;
  return scheduler.play(async (stopped, advance) => {
    const signals = [stopped, generationEnd, ...(options.signal ? [options.signal] : [])];
    const signal = AbortSignal.any(signals);
    quiet.know(options.known ?? {});
    const startMs = account.script.activatedAtMs ?? account.clock.now();
    if (options.hurriesMs !== undefined) scheduler.hurriesUntilMs = startMs + options.hurriesMs;
    setPace(account, {});
    try {
      const isBeside =
        options.isAlone !== true && (application.current !== null || quiet.calls > 0 || isReachable(account));
      if (isBeside) await firstCall(account, options.graceMs ?? 0, signal);
      if (!signal.aborted) application.current?.begin();
      const end = isBeside
        ? await flow(account, { ...options, signal }, advance)
        : await playOut(account, signal, advance);
      if (end) await judgeFinalState(account);
      generationEnd.throwIfAborted();
      if (end === null && !isOver()) throw interrupted();
      return end;
    } finally {
      application.current?.begin();
      quiet.know({});
      if (!stopped.aborted && !generationEnd.aborted) setPace(account, {});
    }
  });
}

const interrupted = () =>
  new ServiceError('clock_interrupted', 'The play was stopped: another call stopped or set the clock meanwhile.');

/** The clock stops at the activation, whatever mode the scenario sets: a play moves it from there. */
export function freeze(account: Account): void {
  setPace(account, {}, account.script.activatedAtMs ?? undefined);
}

export function setPace(
  { store, clock, scheduler }: Account,
  pace: { quietMs?: number; jumpsOnly?: boolean },
  atMs = clock.now(),
): void {
  const isFrozen = pace.quietMs === undefined;
  store.update(() => {
    store.setClock(clock.set(isFrozen ? 'frozen' : 'auto', 1, atMs, { ...pace, learns: !isFrozen }));
  });
  scheduler.rearm();
  scheduler.runDue();
}

/** True if a webhook or the first step reaches the application, so that it need not call first. */
export function isReachable({ store, script }: Account): boolean {
  const [first] = script.scenario?.timeline ?? [];
  const endpoints = [...store.tables.endpoints.all()];
  return first?.http !== undefined || endpoints.some(({ url }) => sinkNameOf(new URL(url)) === null);
}

interface Flow extends PlayOptions {
  readonly signal: AbortSignal;
}

async function flow(account: Account, { pace = 'flow', ...parts }: Flow, advance: AdvanceTo): Promise<PlayEnd | null> {
  const { clock, scheduler, quiet } = account;
  const { host, inFlight } = scheduler.parts;
  const beganMs = host.monotonic();
  const { quietMs = leastPauseMs, maxRealMs = Infinity, signal } = parts;
  // The application has waited since its call, also while the clock stood still: on a busy machine, for long.
  const heldMs = pace === 'flow' && quiet.calls > 0 ? Math.min(quiet.restMs, longestHeldMs) : 0;
  setPace(account, { quietMs, jumpsOnly: pace === 'frozen' }, clock.now() + Math.round(Math.max(0, heldMs)));
  quiet.note();
  const isStopped = () => signal.aborted;
  const idleAtEndMs = parts.mayEnd ? quiet.patienceMs(quietMs) : Math.max(lastPauseMs, quietOf(account));
  let plannedJumps = scheduler.jumps;
  for (;;) {
    await pause(lookAgainMs, host);
    if (isStopped()) return null;
    const end = endOf(account);
    const nowMs = clock.now();
    scheduler.playsUntilMs = end.isReached ? Math.max(nowMs, end.atMs) : Infinity;
    if (nowMs <= end.plannedMs) plannedJumps = scheduler.jumps;
    const isEndless = scheduler.jumps - plannedJumps > mostJumps;
    if (host.monotonic() - beganMs > maxRealMs) {
      setPace(account, {});
      return playEnd(account, clock.now(), `max_real: ${maxRealMs} ms`, Math.max(0, Math.round(quiet.idleMs)));
    }
    if (inFlight.count > 0 || quiet.isBusy || !(end.isReached || isEndless)) continue;
    const isTimeUp = end.isFixed && nowMs >= end.atMs;
    if (!isTimeUp && quiet.untilIdleForMs(Math.max(idleAtEndMs, quiet.patienceMs(quietMs))) > 0) continue;
    if (!isTimeUp && parts.mayEnd && !(await parts.mayEnd())) continue;
    const seen = quiet.changes;
    await advance(Math.max(nowMs, end.atMs));
    if (isStopped()) return null;
    const isStuck = quiet.idleMs < idleAtEndMs;
    if ((isTimeUp || seen === quiet.changes || isStuck) && (isEndless || endOf(account).isReached)) {
      const idleMs = Math.max(0, Math.round(quiet.idleMs));
      // The wait for the application is not a part of the story, and differs from run to run.
      const lastMs = pace === 'flow' ? clock.now() - idleMs : clock.now();
      const endMs = account.script.scenario?.ends === undefined ? Math.max(end.plannedMs, lastMs) : end.atMs;
      return playEnd(account, endMs, isEndless ? endless(account) : end.because, idleMs);
    }
  }
}

const endless = ({ quiet }: Account): string =>
  `it went on by itself, ${mostJumps} jumps after the last planned time${quiet.latestCall === '' ? '' : `, last with ${quiet.latestCall}`}`;

/** A scenario that ends when nothing happens for a time gives the application that time, and does not jump over it. */
function quietOf({ script }: Account): number {
  const ends = script.scenario?.ends;
  return typeof ends === 'object' ? Math.min(parseDuration(ends.quiet), longestQuietMs) : 0;
}

async function playOut(account: Account, signal: AbortSignal, advance: AdvanceTo): Promise<PlayEnd | null> {
  const { clock } = account;
  for (let jumps = 0; !signal.aborted;) {
    const end = endOf(account);
    const nowMs = clock.now();
    const isOver = end.isReached || jumps > mostJumps;
    if (nowMs > end.plannedMs) jumps += 1;
    await advance(Math.max(nowMs, isOver ? end.atMs : end.nextMs));
    if (isOver && (jumps > mostJumps || endOf(account).isReached))
      return playEnd(account, clock.now(), jumps > mostJumps ? endless(account) : end.because, null);
  }
  return null;
}

/**
 * A second passes for each second that the application needs after its first call: it may wait for the review of its
 * template.
 */
export async function untilReady<T>({ quiet, scheduler, clock }: Account, ready: Promise<T>): Promise<T> {
  for (;;) {
    const result = await within(startStepMs, ready, scheduler.parts.host);
    if (result !== 'late') return result;
    if (quiet.calls > 0 && clock.mode === 'frozen' && !scheduler.advancing)
      await scheduler.advance(clock.now() + startStepMs);
  }
}

/** Until the application is idle, the clock stands still: otherwise, the timeline would start without it. */
export async function firstCall({ quiet, scheduler }: Account, graceMs: number, signal: AbortSignal): Promise<void> {
  let lookedMs = 0;
  for (let leftMs = graceMs; leftMs > 0 && !signal.aborted; leftMs -= lookAgainMs) {
    const hasCalled = quiet.calls > 0 && !quiet.isBusy;
    // One that was asked to wait does so in the time that begins now.
    const rests = quiet.idleMs < 0 || quiet.idleMs > 5 * lookAgainMs;
    if (hasCalled && (quiet.changes > 0 ? rests : lookedMs >= onlyLooksMs)) return;
    if (hasCalled) lookedMs += lookAgainMs;
    await pause(lookAgainMs, scheduler.parts.host);
  }
}
