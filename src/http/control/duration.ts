/** Durations that callers give: the document's pattern lets a million years through. */
import { invalidField } from '../../domain/errors.js';
import { DurationError, formatDuration, parseDuration } from '../../time/duration.js';

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
    throw invalidField(field, message);
  }
}

/** For as long a call may last: nobody's connection stays open for ever. */
const longestRealMs = 60_000;

/**
 * Machine milliseconds for which a call is held open.
 * @throws ServiceError `validation_error` for what is no duration, or more than 60s
 */
export function realDuration(field: string, text: string): number {
  const ms = duration(field, text);
  if (ms > longestRealMs)
    throw invalidField(field, `must be at most ${formatDuration(longestRealMs)} of real time; found "${text}"`);
  return ms;
}
