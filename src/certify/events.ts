/**
 * The events that checks send. The functions that make real events generate their data, so only the ids differ. All of
 * it is ASCII, unless a check asks for other characters.
 */
import { someFailure } from '../domain/channel-errors.js';
import { messageReceivedData, messageStatusData, otpVerifiedData, templateStatusData } from '../domain/event.js';
import type { EventType, MessageStatus } from '../domain/words.js';
import { isoTime } from '../domain/instant.js';
import type { Message, MessageContent } from '../domain/message.js';
import type { Ids } from '../random/ids.js';

export interface MadeEvent {
  readonly id: string;
  /** The value of `X-Service-Event`. */
  readonly type: string;
  readonly body: string;
  readonly deliveryId: string;
}

export interface Labelled {
  readonly label: string;
  readonly event: MadeEvent;
}

/** The message of a status event. */
export type StatusSubject = Pick<Message, 'id' | 'wamid' | 'customer' | 'type'>;

export class EventMaker {
  #events = 0;

  constructor(
    private readonly ids: Ids,
    /** The customers who send and receive, in turn. */
    private readonly customers: readonly string[],
    /** Milliseconds since the epoch: receivers may check the age of an event. */
    private readonly now: () => number,
  ) {}

  /** An event of this type. */
  sample(type: EventType): MadeEvent {
    const [first] = this.everyKindOf(type);
    return first.event;
  }

  /** One event for each form that the data of this type can have. */
  everyKindOf(type: EventType): readonly [Labelled, ...Labelled[]] {
    switch (type) {
      case 'message.received':
        return [
          { label: 'text', event: this.received('text', { text: 'Where is my order?' }) },
          { label: 'image', event: this.received('image', { media_url: 'https://media.example.com/photo.jpg' }) },
          { label: 'document', event: this.received('document', { media_url: 'https://media.example.com/bill.pdf' }) },
          {
            label: 'button',
            event: this.received('interactive', { interactive: { id: 'yes', title: 'Yes, please' } }),
          },
        ];
      case 'message.status':
        return [
          { label: 'sent', event: this.status('sent') },
          { label: 'delivered', event: this.status('delivered') },
          { label: 'read', event: this.status('read') },
          { label: 'failed', event: this.status('failed') },
        ];
      case 'otp.verified': {
        const otp = { id: this.ids.uuid(), to: this.#customer() };
        return [{ label: 'verified', event: this.#made(type, otpVerifiedData(otp, this.now())) }];
      }
      case 'template.status':
        return [
          { label: 'approved', event: this.#template('approved', null) },
          {
            label: 'rejected',
            event: this.#template('rejected', 'The text makes promises that the shop cannot keep.'),
          },
        ];
    }
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
    const id = this.ids.uuid();
    const template = {
      id,
      name: 'order_shipped',
      language: 'en',
      category: 'utility',
      status,
      rejectionReason,
    } as const;
    return this.#made('template.status', templateStatusData(template, this.now()));
  }

  #made(type: EventType, data: object, atMs = this.now()): MadeEvent {
    const id = this.ids.eventId();
    const body = JSON.stringify({ id, type, created_at: isoTime(atMs), data });
    return { id, type, body, deliveryId: this.ids.uuid() };
  }
}
