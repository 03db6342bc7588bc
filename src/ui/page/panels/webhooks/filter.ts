/** Which deliveries are looked at: what the address says. */
import type { Delivery } from '../../core/records.js';

export interface DeliveryFilter {
  /** Any text of the delivery: an id, a number, a part of the event. */
  readonly q: string;
  readonly state: string;
  readonly type: string;
  /** Id of the endpoint. */
  readonly endpoint: string;
}

export const states = ['pending', 'retrying', 'delivered', 'held', 'dropped', 'failed'] as const;
export const eventTypes = ['message.received', 'message.status', 'otp.verified', 'template.status'] as const;

export function filterOf(query: Readonly<Record<string, string>>): DeliveryFilter {
  const { q = '', state = '', type = '', endpoint = '' } = query;
  return { q, state, type, endpoint };
}

export function filters({ q, state, type, endpoint }: DeliveryFilter): boolean {
  return q.trim() !== '' || state !== '' || type !== '' || endpoint !== '';
}

/** Those that fit, newest first. */
export function filtered(rows: readonly Delivery[], filter: DeliveryFilter): Delivery[] {
  if (!filters(filter)) return rows.toReversed();
  const words = filter.q.trim().toLowerCase();
  const fits = (row: Delivery) =>
    (filter.state === '' || row.state === filter.state) &&
    (filter.type === '' || row.event_type === filter.type) &&
    (filter.endpoint === '' || row.webhook_id === filter.endpoint) &&
    (words === '' || textsOf(row).some((text) => text.toLowerCase().includes(words)));
  return rows.filter(fits).reverse();
}

function textsOf(row: Delivery): string[] {
  return [row.id, row.event_id, row.webhook_id, row.url, row.payload ?? '', row.attempts.at(-1)?.error ?? ''];
}
