/** The filter of deliveries, from the address. */
import type { Delivery } from '../../core/records.js';
import { rulesOf, subjectOf } from './subject.js';

export interface DeliveryFilter {
  /** Text in the delivery: an id, a number, part of the event. */
  readonly q: string;
  readonly state: string;
  readonly type: string;
  /** Id of the endpoint. */
  readonly endpoint: string;
  /** The status in the event. */
  readonly status: string;
  readonly fault: string;
  /** Id of the rule that changed it. */
  readonly rule: string;
  /** `problems`: only deliveries that are neither delivered nor pending without a failure. */
  readonly only: string;
}

export const states = ['pending', 'retrying', 'delivered', 'held', 'dropped', 'failed'] as const;
export const eventTypes = ['message.received', 'message.status', 'otp.verified', 'template.status'] as const;
export const statuses = ['sent', 'delivered', 'read', 'failed', 'approved', 'rejected'] as const;

/** Labels of the faults of a delivery. */
export const faultWords: Readonly<Record<NonNullable<Delivery['faults']>[number], string>> = {
  delayed: 'delayed',
  duplicated: 'duplicated',
  held_back: 'held back',
  dropped: 'dropped',
  wrong_secret: 'wrong secret',
  forged: 'forged body',
  missing_signature: 'unsigned',
  malformed_signature: 'malformed signature',
  truncated: 'truncated',
  reformatted: 'reformatted',
  unknown_type: 'unknown type',
  huge: 'huge',
  simulated: 'simulated receiver',
};

const names = ['q', 'state', 'type', 'endpoint', 'status', 'fault', 'rule', 'only'] as const;

export function filterOf(query: Readonly<Record<string, string>>): DeliveryFilter {
  return Object.fromEntries(names.map((name) => [name, query[name] ?? ''])) as unknown as DeliveryFilter;
}

export function filters(filter: DeliveryFilter): boolean {
  return names.some((name) => filter[name].trim() !== '');
}

/** Whether a delivery needs attention: it is late, held or dropped, or an attempt failed. */
export function isProblem({ state, attempts }: Delivery): boolean {
  return (state !== 'delivered' && state !== 'pending') || attempts.some(({ error }) => error !== undefined);
}

/** A delivery with its copies, which have the same event and endpoint. */
export interface DeliveryGroup {
  readonly delivery: Delivery;
  /** All copies, oldest first; only this one if there are no others. */
  readonly copies: readonly Delivery[];
}

/** Returns matching deliveries, newest first; copies are grouped with the first one. */
export function filtered(rows: readonly Delivery[], filter: DeliveryFilter): DeliveryGroup[] {
  const words = filter.q.trim().toLowerCase();
  const fits = (row: Delivery) =>
    (filter.state === '' || row.state === filter.state) &&
    (filter.type === '' || row.event_type === filter.type) &&
    (filter.endpoint === '' || row.webhook_id === filter.endpoint) &&
    (filter.status === '' || subjectOf(row).status === filter.status) &&
    (filter.fault === '' || (row.faults ?? []).some((fault) => fault === filter.fault)) &&
    (filter.rule === '' || rulesOf(row).includes(filter.rule)) &&
    (filter.only === '' || isProblem(row)) &&
    (words === '' || textsOf(row).some((text) => text.toLowerCase().includes(words)));
  const groups = new Map<string, Delivery[]>();
  for (const row of filters(filter) ? rows.filter(fits) : rows) {
    const key = `${row.event_id} ${row.webhook_id}`;
    const known = groups.get(key);
    if (known) known.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((copies) => ({ delivery: copies[0] as Delivery, copies })).reverse();
}

function textsOf(row: Delivery): string[] {
  return [row.id, row.event_id, row.webhook_id, row.url, row.payload ?? '', row.attempts.at(-1)?.error ?? ''];
}
