/** What records of several kinds have in common, when they come from outside. */
import type { EventType } from '../../../domain/event.js';
import type { Explain, Hand } from '../../../domain/explain.js';
import type { Row } from '../../../domain/row.js';
import { count, type Fields, mapOf, number, oneOf, optional, record, text } from '../check.js';

export const rowFields: Fields<Row> = { id: text, seq: count };

export const explain = record<Explain>({
  by: oneOf<Explain['by']>({ header: true, rule: true, magic: true, default: true }),
  id: optional(text),
  file: optional(text),
  line: optional(number),
  text,
});

export const hand = oneOf<Hand>({ command: true, timeline: true });

export const eventType = oneOf<EventType>({
  'message.received': true,
  'message.status': true,
  'otp.verified': true,
  'template.status': true,
});

export const headers = mapOf(text);
