/** Durations that callers give: the document's pattern lets a million years through. */
import { ServiceError } from '../../domain/errors.js';
import { DurationError, parseDuration } from '../../time/duration.js';

/**
 * Milliseconds.
 * @param field where it stands, as the details of a refusal name it
 * @throws ServiceError `validation_error` for what is no duration
 */
export function duration(field: string, text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    const message = `must be a duration such as 250ms, 10s, 5m, 24h, 7d or 1h30m; found "${text}": ${error.reason}`;
    throw new ServiceError('validation_error', `${field} ${message}.`, { details: [{ field, message }] });
  }
}
