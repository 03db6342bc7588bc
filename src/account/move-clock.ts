import { invalidField, ServiceError } from '../domain/errors.js';
import { isoTime } from '../domain/instant.js';
import { endOfTimeMs, type ClockMode, type ClockState, type Pace } from '../time/account-clock.js';
import type { Advanced, AdvanceOptions } from '../time/advance.js';
import type { Account } from './account.js';
import { beyondSetUp, moveSetUp } from './set-up.js';

export interface ClockUpdate {
  readonly mode?: ClockMode;
  readonly scale?: number;
  readonly nowMs?: number;
  /** Allowed only with the mode `auto`. */
  readonly pace?: Pace;
}

export interface Move extends AdvanceOptions {
  readonly byMs?: number;
  readonly toMs?: number;
  /** The longest account time that `until: idle` may pass. */
  readonly maxMs?: number;
}

const defaultIdleMaxMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Moves the clock forward through all due jobs, as an advance does. It moves backward only while the account contains
 * nothing but its setup, which moves with it.
 */
export async function setClock(account: Account, wanted: ClockUpdate): Promise<void> {
  const { clock, scheduler, store } = account;
  requireOneMode(wanted);
  scheduler.stopPlay();
  takeOver(account);
  const isBack = wanted.nowMs !== undefined && wanted.nowMs < clock.now();
  if (wanted.nowMs !== undefined && !isBack) {
    requireAhead(account, wanted.nowMs, 'now');
    const { stopped } = await scheduler.advance(wanted.nowMs);
    if (stopped) {
      throw new ServiceError('clock_interrupted', 'The move of the clock was stopped; its mode is unchanged.');
    }
  } else scheduler.requireFree();
  const nowMs = wanted.nowMs ?? clock.now();
  const { mode, scale } = modeOf(wanted, clock.state);
  // A flowing clock may be a millisecond further when the advance returns, but no job has run in that time.
  if (isBack) beginAt(account, mode, scale, nowMs);
  store.setClock(clock.set(mode, scale, nowMs, wanted.pace));
  scheduler.rearm();
  scheduler.runDue();
}

/** `scale` alone switches to `scaled`. */
export function modeOf({ mode, scale }: ClockUpdate, before: Pick<ClockState, 'mode' | 'scale'>) {
  return { mode: mode ?? (scale === undefined ? before.mode : 'scaled'), scale: scale ?? before.scale } as const;
}

/**
 * A caller that moves a clock takes control of it: an automatic jump in between would run the same jobs at other times.
 */
function takeOver({ clock, store }: Account): void {
  if (clock.state.quietMs !== undefined) store.setClock(clock.set('frozen', 1, clock.now()));
}

/** @throws ServiceError if the account contains more than its setup */
function beginAt(account: Account, mode: ClockMode, scale: number, nowMs: number): void {
  const { clock, scheduler, store } = account;
  const wasMs = clock.now();
  const more = beyondSetUp(account.store);
  if (more !== null) {
    throw invalidField(
      'now',
      `is in the past: the account is at ${isoTime(wasMs)}, and it ${more}. ` +
        `To start there, reset the account: POST /_sandbox/reset {"clock":{"mode":"${mode}","now":"${isoTime(nowMs)}"}}`,
    );
  }
  store.update(() => {
    moveSetUp(store, nowMs - wasMs);
    store.setClock(clock.set(mode, scale, nowMs));
  });
  account.script.reload();
  scheduler.reload();
}

/** Checked before anything moves, so that a rejected call changes nothing. */
export function requireOneMode({ mode = 'scaled', scale, pace }: ClockUpdate): void {
  if (pace !== undefined && mode !== 'auto')
    throw invalidField('quiet_real', 'belongs to mode "auto" only; send {"mode":"auto","quiet_real":"150ms"}');
  if (scale === undefined || mode === 'scaled') return;
  throw invalidField('scale', `belongs to mode "scaled" only; the mode is "${mode}"`);
}

export async function moveClock(account: Account, move: Move): Promise<Advanced & { readonly attempts: number }> {
  const { scheduler, dispatcher } = account;
  const before = dispatcher.made;
  scheduler.requireFree();
  takeOver(account);
  const advanced = await scheduler.advance(targetOf(account, move), move);
  return { ...advanced, attempts: dispatcher.made - before };
}

function targetOf(account: Account, { byMs, toMs, until, maxMs = defaultIdleMaxMs }: Move): number {
  const nowMs = account.clock.now();
  if (toMs !== undefined) return requireAhead(account, toMs, 'to');
  if (byMs !== undefined) return requireAhead(account, nowMs + byMs, 'by');
  return until === 'next' ? endOfTimeMs : Math.min(nowMs + maxMs, endOfTimeMs);
}

function requireAhead(account: Account, targetMs: number, field: string): number {
  const nowMs = account.clock.now();
  const problem =
    targetMs < nowMs
      ? `is in the past: the account is at ${isoTime(nowMs)}, and an advance only goes forward`
      : targetMs > endOfTimeMs
        ? `is after ${isoTime(endOfTimeMs)}, where account time ends`
        : null;
  if (problem === null) return targetMs;
  throw invalidField(field, problem);
}
