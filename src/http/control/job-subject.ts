/** Describes a job for people: its own record only has an id. */
import type { Account } from '../../account/account.js';
import type { Event, Job, Message } from '../../domain/rows.js';

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
