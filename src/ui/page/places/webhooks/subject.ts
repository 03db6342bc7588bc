/** The subject of a delivery, read from the bytes of its event. */
import type { Delivery, Event } from '../../core/records.js';

export interface Subject {
  /** A phone number or a template's name; empty if the event has neither. */
  readonly words: string;
  /** Number of the customer, if any. */
  readonly phone: string | null;
  readonly messageId: string | null;
  /** The status of a message or template in the event. */
  readonly status: string | null;
}

const nothing: Subject = { words: '', phone: null, messageId: null, status: null };
const read = new WeakMap<Delivery, Subject>();

/** Cached for each record, because lists read it often. */
export function subjectOf(delivery: Delivery): Subject {
  const known = read.get(delivery);
  if (known) return known;
  const subject = subjectOfData(delivery.event_type, dataOf(delivery.payload ?? null));
  read.set(delivery, subject);
  return subject;
}

export function subjectOfData(type: Event['type'], data: Readonly<Record<string, unknown>>): Subject {
  const status = type === 'message.received' ? null : textOf(data['status']);
  if (type === 'template.status') return { ...nothing, words: textOf(data['name']) ?? '', status };
  // The customer is the sender of an inbound message, otherwise the recipient.
  const phone = textOf(type === 'message.received' ? data['from'] : data['to']);
  return { words: phone ?? '', phone, messageId: textOf(data['message_id']), status };
}

/** Returns the `data` of an event; empty if it is not JSON. */
function dataOf(payload: string | null): Readonly<Record<string, unknown>> {
  try {
    const event = JSON.parse(payload ?? '{}') as { data?: Record<string, unknown> } | null;
    return event?.data ?? {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
