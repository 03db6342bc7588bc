/**
 * The events that checks send. The functions that make real events generate their data, so only the ids differ. All of
 * it is ASCII, unless a check asks for other characters.
 */
import { someFailure } from '../domain/errors.js';
import { messageReceivedData, messageStatusData, otpVerifiedData, templateStatusData } from '../domain/event.js';
import type { EventType, MessageStatus } from '../domain/words.js';
import { isoTime } from '../domain/instant.js';
import type { Message, MessageContent } from '../domain/rows.js';
import type { Ids } from '../random/ids.js';

export interface MadeEvent {
  readonly id: string;
  /** The value of `X-Service-Event`. */
  readonly type: string;
  readonly body: string;
  readonly deliveryId: string;
}

/** The message of a status event. */
type StatusSubject = Pick<Message, 'id' | 'wamid' | 'customer' | 'type'>;

export class EventMaker {
  #events = 0;

  constructor(
    private readonly ids: Ids,
    /** The customers who send and receive, in turn. */
    private readonly customers: readonly string[],
    /** Milliseconds since the epoch: receivers may check the age of an event. */
    private readonly now: () => number,
  ) {}

  /** One event for each form that the data of this type can have, by the name of the form. */
  readonly forms: Readonly<Record<EventType, Readonly<Record<string, () => MadeEvent>>>> = {
    'message.received': {
      text: () => this.received('text', { text: 'Where is my order?' }),
      image: () => this.received('image', { media_url: 'https://media.example.com/photo.jpg' }),
      document: () => this.received('document', { media_url: 'https://media.example.com/bill.pdf' }),
      button: () => this.received('interactive', { interactive: { id: 'yes', title: 'Yes, please' } }),
    },
    'message.status': {
      sent: () => this.status('sent'),
      delivered: () => this.status('delivered'),
      read: () => this.status('read'),
      failed: () => this.status('failed'),
    },
    'otp.verified': {
      verified: () =>
        this.#made('otp.verified', otpVerifiedData({ id: this.ids.uuid(), to: this.#customer() }, this.now())),
    },
    'template.status': {
      approved: () => this.#template('approved', null),
      rejected: () => this.#template('rejected', 'The text makes promises that the shop cannot keep.'),
    },
  };

  /** An event of this type. */
  sample(type: EventType): MadeEvent {
    const [make] = Object.values(this.forms[type]);
    return (make ?? (() => this.status('sent')))();
  }

  /** @param ageMs age of the event, in milliseconds. */
  received(type: string, content: MessageContent, ageMs = 0): MadeEvent {
    const { id, wamid, customer } = this.message();
    const atMs = this.now() - ageMs;
    const data = messageReceivedData({ id, wamid, customer, type, content }, 'Ada Lovelace', atMs);
    return this.#made('message.received', data, atMs);
  }

  status(status: MessageStatus, message: StatusSubject = this.message()): MadeEvent {
    const error = status === 'failed' ? someFailure : null;
    return this.#made('message.status', messageStatusData(message, status, error, this.now()));
  }

  message(): StatusSubject {
    const customer = this.#customer();
    return { id: this.ids.uuid(), wamid: this.ids.wamid(customer), customer, type: 'template' };
  }

  #customer(): string {
    this.#events += 1;
    return this.customers[this.#events % this.customers.length] ?? '';
  }

  #template(status: 'approved' | 'rejected', rejectionReason: string | null): MadeEvent {
    const about = { name: 'order_shipped', language: 'en', category: 'utility' } as const;
    return this.#made(
      'template.status',
      templateStatusData({ id: this.ids.uuid(), ...about, status, rejectionReason }, this.now()),
    );
  }

  #made(type: EventType, data: object, atMs = this.now()): MadeEvent {
    const id = this.ids.eventId();
    const body = JSON.stringify({ id, type, created_at: isoTime(atMs), data });
    return { id, type, body, deliveryId: this.ids.uuid() };
  }
}
