import type { Event, EventType } from './event.js';
import type { Hand } from './explain.js';
import { isoTime } from './instant.js';

/** An event that this process has made. Its bytes are made when somebody first wants them, which of most nobody does. */
export class FreshEvent implements Event {
  #body: string | null = null;

  /** @param data nobody changes it any more */
  constructor(
    readonly id: string,
    readonly seq: number,
    readonly type: EventType,
    readonly createdAtMs: number,
    readonly data: object,
    readonly subject: string,
    readonly by?: Hand,
  ) {}

  get body(): string {
    const { id, type, data } = this;
    return (this.#body ??= JSON.stringify({ id, type, created_at: isoTime(this.createdAtMs), data }));
  }

  /** As every other record is written down: with its bytes. */
  toJSON(): Event {
    const { id, seq, type, createdAtMs, body, subject, by } = this;
    return { id, seq, type, createdAtMs, body, subject, ...(by && { by }) };
  }
}

/** What an event tells, without its envelope; of one that was read back from disk, what its bytes say. */
export function dataOf(event: Event): Readonly<Record<string, unknown>> {
  if (event instanceof FreshEvent) return event.data as Record<string, unknown>;
  return (JSON.parse(event.body) as { data: Record<string, unknown> }).data;
}
