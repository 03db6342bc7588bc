/**
 * Setting and advancing an account's clock (contract §3, §4).
 */
import { invalidField, ServiceError } from '../domain/errors.js';
import { isoTime } from '../domain/instant.js';
import type { ClockMode } from '../time/account-clock.js';
import type { Ran } from '../time/advance.js';
import { endOfTimeMs } from '../time/account-clock.js';
import type { Account } from '../account/account.js';

export interface ClockWish {
  readonly mode?: ClockMode;
  readonly scale?: number;
  readonly nowMs?: number;
}

export interface Move {
  readonly byMs?: number;
  readonly toMs?: number;
  readonly until?: 'next' | 'idle';
  /** How far `until: idle` may go. */
  readonly maxMs?: number;
  readonly settleRealMs?: number;
}

const defaultIdleMaxMs = 7 * 24 * 60 * 60 * 1000;

/** Setting the clock forward passes through everything that is due on the way, as an advance does. */
export async function setClock(account: Account, wish: ClockWish): Promise<void> {
  const { clock, scheduler, store } = account;
  requireOneMode(wish);
  if (wish.nowMs !== undefined) {
    requireAhead(account, wish.nowMs, 'now');
    await scheduler.advance(wish.nowMs);
  } else if (scheduler.advancing) {
    throw new ServiceError(
      'clock_advancing',
      'The clock is being advanced; wait for that call to return, then try again.',
    );
  }
  const mode = wish.mode ?? (wish.scale === undefined ? clock.mode : 'scaled');
  const scale = wish.scale ?? clock.state.scale;
  store.setClock(clock.set(mode, scale, wish.nowMs ?? clock.now()));
  scheduler.rearm();
  scheduler.runDue();
}

/** Before anything moves: a call that is refused has changed nothing. */
function requireOneMode({ mode = 'scaled', scale }: ClockWish): void {
  if (scale === undefined || mode === 'scaled') return;
  throw invalidField('scale', `belongs to mode "scaled" only; the mode is "${mode}"`);
}

export interface Moved {
  readonly ran: readonly Ran[];
  /** Attempts made on the way. */
  readonly attempts: number;
}

export async function moveClock(account: Account, move: Move): Promise<Moved> {
  const { scheduler, dispatcher } = account;
  const before = dispatcher.made;
  const { ran } = await scheduler.advance(targetOf(account, move), {
    ...(move.until !== undefined && { until: move.until }),
    ...(move.settleRealMs !== undefined && { settleRealMs: move.settleRealMs }),
  });
  return { ran, attempts: dispatcher.made - before };
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
      ? `lies in the past: it is ${isoTime(nowMs)}, and time never goes back (POST /_sandbox/reset starts over)`
      : targetMs > endOfTimeMs
        ? `lies beyond ${isoTime(endOfTimeMs)}, where account time ends`
        : null;
  if (problem === null) return targetMs;
  throw invalidField(field, problem);
}
