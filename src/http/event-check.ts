/**
 * An event that a caller composes, held against the `webhooks` of the document: what a receiver gets is what the document
 * promises (contract §4, events).
 */
import { ServiceError } from '../domain/errors.js';
import type { EventType } from '../domain/event.js';
import { placeOf, valueAt } from './audit/finding.js';
import { shown } from './shown.js';

interface EventFault {
  /** JSON pointer into the event. */
  readonly instancePath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Compiled when the package is built (scripts/compile-validators.ts); `errors` is of the latest call. */
export interface EventCheck {
  (event: unknown): boolean;
  readonly errors?: readonly EventFault[] | null;
}

export type EventChecks = Readonly<Record<EventType, EventCheck>>;

/** @throws ServiceError `validation_error`, with every field of the data that its schema does not allow */
export function requireSound(check: EventCheck, event: { readonly type: EventType; readonly data: object }): void {
  const envelope = { id: 'evt_0', created_at: '2026-03-01T09:00:00.000Z', ...event };
  if (check(envelope)) return;
  const details = (check.errors ?? []).map(({ instancePath, message = 'does not fit', params }) => {
    const { allowedValues, missingProperty } = params;
    const field = placeOf(instancePath).replace(/^body\.?/, '');
    if (typeof missingProperty === 'string') return { field: `${field}.${missingProperty}`, message: 'is required' };
    const allowed = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
    return { field, message: `${message}${allowed}; found ${shown(valueAt(envelope, instancePath))}` };
  });
  const [first] = details;
  throw new ServiceError('validation_error', `${first?.field ?? 'data'} ${first?.message ?? 'breaks its schema'}.`, {
    details,
  });
}
