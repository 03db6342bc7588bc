import { moveClock, setClock, type ClockUpdate } from '../../account/move-clock.js';
import { invalidField } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import { setPace } from '../../stage/play.js';
import type { ClockMode } from '../../time/account-clock.js';
import type { ControlHandlers } from './handler.js';
import { jobSubject, showClock } from './show.js';
import { duration, instant, realDuration } from './values.js';

/** Maximum number of jobs that a response lists; the others are only counted. */
const mostShown = 10_000;

type AdvanceBody = { by?: string; to?: string; until?: 'next' | 'idle'; max?: string; settle_real?: string };

export const clock: ControlHandlers = {
  getClock: ({ account }) => showClock(account),

  setClock: async ({ account, body }) => {
    await setClock(account, clockUpdate('', body as ClockBody));
    return showClock(account);
  },

  advanceClock: async ({ account, body }) => {
    const { by, to, until, max, settle_real: settleReal } = body as AdvanceBody;
    if (max !== undefined && until !== 'idle') throw invalidField('max', 'belongs to until "idle" only');
    const { ran, attempts, stopped } = await moveClock(account, {
      ...(by !== undefined && { byMs: duration('by', by) }),
      ...(to !== undefined && { toMs: instant('to', to) }),
      ...(until && { until }),
      ...(max !== undefined && { maxMs: duration('max', max) }),
      ...(settleReal !== undefined && { settleRealMs: realDuration('settle_real', settleReal) }),
    });
    return {
      now: isoTime(account.clock.now()),
      ran: ran.slice(0, mostShown).map(({ atMs, job }) => {
        return { at: isoTime(atMs), job: job.kind, subject: job.subject, ...jobSubject(account, job, false) };
      }),
      ran_total: ran.length,
      deliveries: attempts,
      pending: account.scheduler.pending,
      ...(stopped && { stopped }),
    };
  },

  stopAdvance: ({ account }) => {
    const { playing } = account.scheduler;
    account.scheduler.stopAdvance();
    // Its clock would go on with the timeline.
    if (playing) setPace(account, {});
    return showClock(account);
  },
};

export interface ClockBody {
  readonly mode?: ClockMode;
  readonly now?: string;
  readonly scale?: number;
  readonly quiet_real?: string;
  readonly learn?: boolean;
}

export function clockUpdate(
  at: string,
  { mode, now, scale, quiet_real: quiet, learn = false }: ClockBody,
): ClockUpdate {
  return {
    ...(mode && { mode }),
    ...(scale !== undefined && { scale }),
    ...(quiet !== undefined && { pace: { quietMs: realDuration(`${at}quiet_real`, quiet), learns: learn } }),
    ...(now !== undefined && { nowMs: instant(`${at}now`, now) }),
  };
}
