/** Instants that callers give: the document's pattern lets the 99th of a month through. */
import { invalidField } from '../../domain/errors.js';
import { parseInstant } from '../../domain/instant.js';

/**
 * Milliseconds since 1970.
 * @throws ServiceError `validation_error` for a date that does not exist, or one that no timestamp can say
 */
export function instant(field: string, text: string): number {
  const ms = parseInstant(text);
  if (ms !== null) return ms;
  const message = `must be a date and time in UTC, from the year 0 to 9999, such as 2026-03-01T09:00:00Z; found "${text}"`;
  throw invalidField(field, message);
}
