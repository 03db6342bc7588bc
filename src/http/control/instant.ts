/** Instants that callers give: the document's pattern lets the 99th of a month through. */
import { ServiceError } from '../../domain/errors.js';

/** Timestamps have four digits for the year, in UTC. */
const firstMs = Date.parse('0000-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Milliseconds since 1970.
 * @throws ServiceError `validation_error` for a date that does not exist, or one that no timestamp can say
 */
export function instant(field: string, text: string): number {
  const ms = Date.parse(text);
  if (ms >= firstMs && ms <= lastMs) return ms;
  const message = `is no instant of the calendar, in UTC from the year 0 to 9999; found "${text}", write it as 2026-03-01T09:00:00Z`;
  throw new ServiceError('validation_error', `${field} ${message}.`, { details: [{ field, message }] });
}
