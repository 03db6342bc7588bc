/** Reads, sets and advances the clock of an account, and describes its jobs. */
import type { Account } from '../../account/account.js';
import { moveClock, setClock, type ClockUpdate } from '../../account/move-clock.js';
import { invalidField } from '../../domain/errors.js';
import { isoTime } from '../../domain/instant.js';
import { showClock } from '../../presenters/control/records.js';
import type { ClockMode } from '../../time/account-clock.js';
import { duration, instant, realDuration } from './given-values.js';
import type { ControlHandlers } from './handler.js';
import type { Event, Job, Message } from '../../domain/rows.js';

/** Maximum number of jobs that a response lists; the others are only counted. */
const mostShown = 10_000;

type AdvanceBody = { by?: string; to?: string; until?: 'next' | 'idle'; max?: string; settle_real?: string };

export const clock: ControlHandlers = {
  getClock: ({ account }) => showClockOf(account),

  setClock: async ({ account, body }) => {
    await setClock(account, clockUpdate('', body as ClockBody));
    return showClockOf(account);
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
      ran: ran.slice(0, mostShown).map(({ atMs, job }) => ({
        at: isoTime(atMs),
        job: job.kind,
        subject: job.subject,
        ...jobSubject(account, job, false),
      })),
      ran_total: ran.length,
      deliveries: attempts,
      pending: account.scheduler.pending,
      ...(stopped && { stopped }),
    };
  },

  stopAdvance: ({ account }) => {
    account.scheduler.stopAdvance();
    return showClockOf(account);
  },
};

export interface ClockBody {
  readonly mode?: ClockMode;
  readonly now?: string;
  readonly scale?: number;
  readonly quiet_real?: string;
}

/** @param at the prefix of the field names in an error */
export function clockUpdate(at: string, { mode, now, scale, quiet_real: quiet }: ClockBody): ClockUpdate {
  return {
    ...(mode && { mode }),
    ...(scale !== undefined && { scale }),
    ...(quiet !== undefined && { quietMs: realDuration(`${at}quiet_real`, quiet) }),
    ...(now !== undefined && { nowMs: instant(`${at}now`, now) }),
  };
}

function showClockOf({ clock: own, scheduler }: Account) {
  return showClock({
    nowMs: own.now(),
    mode: own.mode,
    scale: own.state.scale,
    pending: scheduler.pending,
    nextDueMs: scheduler.nextDueMs(),
    quietMs: own.state.quietMs ?? null,
    quiet: scheduler.quiet,
  });
}

/** A part is absent if it does not apply, or if its record no longer exists. */
interface JobSubject {
  /** The message, template, endpoint or scenario in a few words. */
  readonly about?: string;
  /** The customer. */
  readonly to?: string;
  /** The status that is reported, or that an event contains; the new state of a template. */
  readonly status?: string;
  readonly event_type?: Event['type'];
  readonly webhook_id?: string;
  readonly url?: string;
  /** Number of the attempt. */
  readonly attempt?: number;
}

/** @param ahead The job has not run yet: its attempt is the next one. */
export function jobSubject(account: Account, { kind, subject, data }: Job, ahead: boolean): JobSubject {
  const { messages, templates, endpoints } = account.store.tables;
  switch (kind) {
    case 'message.status':
    case 'customer.writes':
      return { ...aboutMessage(messages.get(subject)), ...statusOf(data) };
    case 'template.review':
      return { ...named(templates.get(subject)?.name), ...statusOf(data) };
    case 'delivery.attempt':
      return aboutDelivery(account, subject, ahead);
    case 'endpoint.pause': {
      const url = endpoints.get(subject)?.url;
      return { ...named(url), webhook_id: subject, ...(url !== undefined && { url }) };
    }
    case 'scenario.step':
    case 'scenario.judge':
      return named(account.script.scenario?.name);
  }
}

function named(about: string | undefined): JobSubject {
  return about === undefined ? {} : { about };
}

function statusOf(data: unknown): JobSubject {
  const { status, decision } = (data ?? {}) as { status?: unknown; decision?: unknown };
  const found = status ?? decision;
  return typeof found === 'string' ? { status: found } : {};
}

const nouns: Readonly<Record<Message['origin'], string | null>> = { api: null, otp: 'one-time code', inbound: null };

function aboutMessage(message: Message | undefined): JobSubject {
  if (!message) return {};
  const { origin, type, content, customer } = message;
  return { about: nouns[origin] ?? content.template?.name ?? type, to: customer };
}

function aboutDelivery({ store: { tables } }: Account, id: string, ahead: boolean): JobSubject {
  const delivery = tables.deliveries.get(id);
  const event = delivery && tables.events.get(delivery.eventId);
  if (!delivery || !event) return {};
  const { name, status, to } = event.data as { name?: string; status?: string; to?: string };
  return {
    ...(event.type === 'otp.verified' ? { about: 'one-time code', ...(to !== undefined && { to }) } : named(name)),
    ...aboutMessage(tables.messages.get(event.subject)),
    ...(status !== undefined && { status }),
    event_type: event.type,
    webhook_id: delivery.endpointId,
    url: delivery.url,
    ...(ahead && { attempt: delivery.attemptCount + 1 }),
  };
}
