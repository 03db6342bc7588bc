/** Events, what is owed because of them, and each try, as they must look when they come from outside. */
import {
  webhookFaults,
  type Attempt,
  type Delivery,
  type DeliveryFault,
  type DeliveryState,
  type WebhookFault,
} from '../../../domain/delivery.js';
import type { Event } from '../../../domain/event.js';
import {
  bool,
  type Check,
  count,
  type Fields,
  instant,
  listOf,
  number,
  oneOf,
  optional,
  orNull,
  record,
  text,
} from '../check.js';
import { eventType, explain, hand, headers, rowFields } from './parts.js';

const simulated = oneOf<Extract<DeliveryFault['simulate'], string>>({ refused: true, timeout: true, reset: true });

const yes: Check<true> = (value, path, problems) => {
  if (value !== true) problems.add(path(), value, 'true');
};

const fault = record<DeliveryFault>({
  signature: oneOf<DeliveryFault['signature']>({ valid: true, wrong_secret: true, missing: true, malformed: true }),
  body: oneOf<DeliveryFault['body']>({
    exact: true,
    truncate: true,
    reformatted: true,
    unknown_type: true,
    huge: true,
    forged: true,
  }),
  simulate: (value, path, problems) => {
    if (value === null) return;
    if (typeof value === 'number') number(value, path, problems);
    else simulated(value, path, problems);
  },
  contacted: optional(yes),
  once: optional(yes),
  by: explain,
});

export const eventFields: Fields<Event> = {
  ...rowFields,
  type: eventType,
  createdAtMs: instant,
  body: text,
  subject: text,
  by: optional(hand),
};

const faults = listOf(
  oneOf<WebhookFault>(Object.fromEntries(webhookFaults.map((name) => [name, true])) as Record<WebhookFault, true>),
);

export const deliveryFields: Fields<Delivery> = {
  ...rowFields,
  eventId: text,
  eventType,
  endpointId: text,
  url: text,
  state: oneOf<DeliveryState>({
    pending: true,
    delivered: true,
    retrying: true,
    held: true,
    dropped: true,
    failed: true,
  }),
  createdAtMs: instant,
  attemptCount: count,
  attemptsBefore: count,
  nextAttemptAtMs: orNull(instant),
  failingSinceMs: optional(orNull(instant)),
  fault: optional(orNull(fault)),
  decided: optional(
    orNull(record<NonNullable<Delivery['decided']>>({ number: count, fault: orNull(fault), explain: orNull(explain) })),
  ),
  holdUntil: optional(
    orNull(record<NonNullable<Delivery['holdUntil']>>({ messageId: text, status: text, redelivery: optional(bool) })),
  ),
  faults: optional(faults),
  explain: optional(explain),
};

export const attemptFields: Fields<Attempt> = {
  ...rowFields,
  deliveryId: text,
  number: count,
  atMs: instant,
  status: orNull(number),
  durationMs: number,
  trigger: oneOf<Attempt['trigger']>({ timetable: true, redelivery: true }),
  step: optional(count),
  error: optional(record<NonNullable<Attempt['error']>>({ code: text, message: text })),
  hint: optional(text),
  explain: optional(explain),
  faults: optional(faults),
  sentTo: text,
  plain: bool,
  request: record<Attempt['request']>({ url: text, headers, body: text, truncated: optional(bool) }),
  response: optional(record<NonNullable<Attempt['response']>>({ headers, body: text, truncated: optional(bool) })),
};
