/** The memory that rows take, in estimated bytes, and the budget for it. */
import { getHeapStatistics } from 'node:v8';
import type { Attempt } from '../../domain/delivery.js';
import { ServiceError } from '../../domain/errors.js';
import { type Event, FreshEvent } from '../../domain/event.js';
import type { Message } from '../../domain/message.js';
import type { RequestRecord } from '../../domain/request-record.js';
import type { JudgedExpectation, RunTimeRule } from '../../domain/script-state.js';
import type { SinkRequest } from '../../domain/sink.js';

/** The memory that all accounts of a sandbox share, in bytes: their rows, and the snapshots in memory. */
export class MemoryBudget {
  #used = 0;

  constructor(readonly limit: number) {}

  get used(): number {
    return this.#used;
  }

  get isFull(): boolean {
    return this.#used >= this.limit;
  }

  add(bytes: number): void {
    this.#used += bytes;
  }

  /**
   * Must be called before a call that stores something.
   * @param bytes the known size of what the call stores
   * @throws ServiceError `limit_reached` if the limit is reached or would be exceeded
   */
  requireRoom(bytes = 0): void {
    if (!this.isFull && this.#used + bytes <= this.limit) return;
    throw new ServiceError(
      'limit_reached',
      `The accounts of this sandbox use ${megabytes(this.#used)} of memory; the limit is ${megabytes(this.limit)}${bytes > 0 ? `, and this call would store ${megabytes(bytes)} more` : ''}. Nothing was ` +
        'stored. Free memory with DELETE /_sandbox/accounts/KEY, POST /_sandbox/reset, DELETE /_sandbox/requests or ' +
        'DELETE /_sandbox/snapshots/NAME, or start with a higher --memory-limit.',
    );
  }
}

/** Memory of work in progress. */
export class Reservation {
  #bytes = 0;

  constructor(readonly budget: MemoryBudget) {}

  /**
   * @param bytes what the work takes from now on, in total
   * @throws ServiceError `limit_reached`; then nothing is reserved
   */
  set(bytes: number): void {
    this.release();
    this.budget.requireRoom(bytes);
    this.budget.add(bytes);
    this.#bytes = bytes;
  }

  release(): void {
    this.budget.add(-this.#bytes);
    this.#bytes = 0;
  }
}

/** The bytes of an empty account: its tables, random streams and clock. */
const emptyAccount = 36_000;

/** The part of the budget that one account uses. */
export class MemoryShare {
  weight = 0;

  constructor(readonly budget: MemoryBudget) {}

  weigh(tables: Readonly<Record<string, { readonly weight: number }>>): void {
    let weight = emptyAccount;
    for (const name in tables) weight += tables[name]?.weight ?? 0;
    this.budget.add(weight - this.weight);
    this.weight = weight;
  }

  leave(): void {
    this.budget.add(-this.weight);
    this.weight = 0;
  }
}

/** 1 GB, or half of the heap limit if that is less. */
export function standardMemoryLimit(): number {
  return Math.min(2 ** 30, Math.floor(getHeapStatistics().heap_size_limit / 2));
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}

/** Whether each character takes one byte. A short text takes little memory anyway and is not looked at. */
const isAscii = (text: string): boolean => text.length > 40 && Buffer.byteLength(text) === text.length;

/** Estimates the memory of a JSON value: its strings, and the objects around them. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return 24 + (isAscii(value) ? value.length : 2 * value.length);
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 40;
  for (const field of Object.values(value)) sum += 12 + weightOf(field);
  return sum;
}

/**
 * The memory of a row in addition to its texts: the object, its small fields, its places in indexes, and for messages
 * the later states. A weight reads only fields that no patch changes.
 */
export const weights = {
  messages: ({ content }: Message) => 1400 + weightOf(content),
  otps: () => 600,
  customers: () => 250,
  endpoints: () => 900,
  templates: () => 2500,
  // The bytes of an event of this process are created on first access, and stored with its data.
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
