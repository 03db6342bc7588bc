/** Estimates of the memory that rows take, in bytes. */
import type { Attempt } from '../../domain/delivery.js';
import type { Event } from '../../domain/event.js';
import { FreshEvent } from '../../domain/lazy-event.js';
import type { Message } from '../../domain/message.js';
import type { RequestRecord } from '../../domain/request-record.js';
import type { JudgedExpectation, RunTimeRule } from '../../domain/script-state.js';
import type { SinkRequest } from '../../domain/sink.js';

const wide = /[^\0-\xff]/;

/** The memory of a JSON value: its strings, and the objects around them. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return 24 + (wide.test(value) ? 2 * value.length : value.length);
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 40;
  for (const name in value) sum += 12 + weightOf((value as Record<string, unknown>)[name]);
  return sum;
}

/**
 * What a row takes beside its texts: the object, its small fields, its places in indexes, and of messages the states that
 * follow. A weight looks only at fields that no patch changes.
 */
export const weights = {
  messages: ({ content }: Message) => 1400 + weightOf(content),
  otps: () => 600,
  customers: () => 250,
  endpoints: () => 900,
  templates: () => 2500,
  // An event of this process gets its bytes when they are first read, and keeps them beside its data.
  events: (event: Event) => 300 + (event instanceof FreshEvent ? 2 * weightOf(event.data) : weightOf(event.body)),
  deliveries: () => 700,
  attempts: ({ request, response, error }: Attempt) => 500 + weightOf(request) + weightOf(response) + weightOf(error),
  jobs: (row: object) => 250 + weightOf('data' in row ? row.data : null),
  requests: ({ path, request, response, warnings }: RequestRecord) =>
    500 + weightOf(path) + weightOf(request) + weightOf(response) + weightOf(warnings),
  sinkRequests: ({ headers, body }: SinkRequest) => 350 + weightOf(headers) + weightOf(body),
  counters: () => 250,
  scenarios: () => 50_000,
  rules: ({ rule }: RunTimeRule) => 100 + weightOf(rule),
  judgements: ({ judgement }: JudgedExpectation) => 100 + weightOf(judgement),
};
