/** `YYYY-MM-DDTHH:mm:ss.sssZ`, the form of every timestamp. Throws a RangeError beyond the platform's calendar. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

const firstMs = Date.parse('0000-01-01T00:00:00.000Z');
const lastMs = Date.parse('9999-12-31T23:59:59.999Z');

/** True if the instant has a timestamp. Scaled clocks yield fractions of milliseconds. */
export function isInstant(ms: unknown): ms is number {
  return typeof ms === 'number' && ms >= firstMs && ms <= lastMs;
}

/**
 * A bare date is midnight in UTC. Null if the calendar has no such instant: the platform would turn 30 February into 2
 * March.
 */
export function parseInstant(text: string): number | null {
  const date = /^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? '';
  const midnight = Date.parse(date);
  const ms = Date.parse(text);
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date);
  return exists && isInstant(ms) ? ms : null;
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
