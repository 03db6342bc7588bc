/**
 * The functions that make real events generate the data, so only the ids differ. All of it is ASCII, unless a check
 * asks for other characters.
 */
import { defaultWire, eventText, type Wire } from '../dialect/wire.js';
import { someFailure } from '../domain/errors.js';
import { messageReceivedData, messageStatusData, otpVerifiedData, templateStatusData } from '../domain/event.js';
import type { DeliveryFault, Message, MessageContent } from '../domain/rows.js';
import type { EventType, MessageStatus } from '../domain/words.js';
import { FakeData } from '../random/fake-data.js';
import { Ids } from '../random/ids.js';
import { bodyToSend } from '../webhooks/faults.js';

export interface MadeEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly as: (mode: DeliveryFault['body']) => string;
  readonly headers: Wire['headers'];
  readonly deliveryId: string;
}

/** Different numbers, all reserved for fiction. */
export function customersOf(seed: number | string): string[] {
  const chance = new FakeData(seed, 'certify', {});
  return [...new Set(Array.from({ length: 8 }, () => chance.phone()))];
}

export type EventMaker = ReturnType<typeof eventMaker>;

/** Milliseconds since the epoch: receivers can check the age of an event. */
export function eventMaker(seed: number | string, now: () => number, wire: Wire = defaultWire) {
  const ids = new Ids(seed, 'certify', {});
  const customers = customersOf(seed);
  let count = 0;

  /** The customers take turns. */
  const customer = (): string => customers[++count % customers.length] ?? '';
  const made = (type: EventType, data: object, createdAtMs = now()): MadeEvent => {
    const id = ids.eventId();
    const event = { id, type, createdAtMs, data: data as Record<string, unknown> };
    const body = eventText(wire, event);
    const as = (mode: DeliveryFault['body']) => bodyToSend(mode, { event, wire, body });
    return { id, type, body, as, headers: wire.headers, deliveryId: ids.uuid() };
  };
  const message = (type = 'template'): Pick<Message, 'id' | 'wamid' | 'customer' | 'type'> => {
    const to = customer();
    return { id: ids.uuid(), wamid: ids.wamid(to), customer: to, type };
  };
  /** The age is in milliseconds. */
  const received = (type: string, content: MessageContent, ageMs = 0): MadeEvent => {
    const atMs = now() - ageMs;
    return made('message.received', messageReceivedData({ ...message(type), content }, 'Ada Lovelace', atMs), atMs);
  };
  const status = (reached: MessageStatus, about = message()): MadeEvent => {
    const error = reached === 'failed' ? someFailure : null;
    return made('message.status', messageStatusData(about, reached, error, now()));
  };
  const reviewed = (decision: 'approved' | 'rejected', rejectionReason: string | null): MadeEvent => {
    const about = { name: 'order_shipped', language: 'en', category: 'utility' } as const;
    const template = { id: ids.uuid(), ...about, status: decision, rejectionReason };
    return made('template.status', templateStatusData(template, now()));
  };

  const forms: Readonly<Record<EventType, Readonly<Record<string, () => MadeEvent>>>> = {
    'message.received': {
      text: () => received('text', { text: 'Where is my order?' }),
      image: () => received('image', { media_url: 'https://media.example.com/photo.jpg' }),
      document: () => received('document', { media_url: 'https://media.example.com/bill.pdf' }),
      button: () => received('interactive', { interactive: { id: 'yes', title: 'Yes, please' } }),
    },
    'message.status': {
      sent: () => status('sent'),
      delivered: () => status('delivered'),
      read: () => status('read'),
      failed: () => status('failed'),
    },
    'otp.verified': {
      verified: () => made('otp.verified', otpVerifiedData({ id: ids.uuid(), to: customer() }, now())),
    },
    'template.status': {
      approved: () => reviewed('approved', null),
      rejected: () => reviewed('rejected', 'The text makes promises that the shop cannot keep.'),
    },
  };
  const sample = (type: EventType): MadeEvent => Object.values(forms[type])[0]?.() ?? status('sent');
  return { forms, sample, received, status, message };
}
