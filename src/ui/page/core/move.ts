/** Parses the target of a clock move as typed by the user. */

/** A move by a duration, to an instant, or to the next job. */
export type Move = { readonly by: string } | { readonly to: string } | { readonly until: 'next' };

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns the milliseconds of `23h59m`; null for any other text. */
export function durationMs(text: string): number | null {
  if (!/^(?=\d)(\d{1,9}d)?(\d{1,9}h)?(\d{1,9}m)?(\d{1,9}s)?(\d{1,12}ms)?$/.test(text)) return null;
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(/(\d+)(ms|[smhd])/g)) total += Number(amount) * (unitMs[unit] ?? 0);
  return total;
}

/**
 * Parses `23h59m` or `23 h 59 min`, `+5m`, a time of day (the next one), or a date with or without a time. All are UTC.
 * @returns the move, or an error message
 */
export function moveOf(typed: string, nowMs: number): Move | string {
  const text = typed.trim();
  const duration = text
    .toLowerCase()
    .replace(/^\+/, '')
    .replaceAll(/\s+/g, '')
    .replaceAll(/(\d)(?:days?)/g, '$1d')
    .replaceAll(/(\d)(?:hours?|hrs?)/g, '$1h')
    .replaceAll(/(\d)(?:minutes?|mins?)/g, '$1m')
    .replaceAll(/(\d)(?:seconds?|secs?)/g, '$1s');
  if (durationMs(duration) !== null) return { by: duration };
  const time = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text);
  if (time) {
    const today = new Date(nowMs).toISOString().slice(0, 10);
    const atMs = Date.parse(`${today}T${text.padStart(text.length + (time[1]?.length === 1 ? 1 : 0), '0')}Z`);
    if (!Number.isNaN(atMs)) return { to: new Date(atMs <= nowMs ? atMs + 86_400_000 : atMs).toISOString() };
  }
  const date = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i.exec(text);
  if (date) {
    const [, day = '', clock = '00:00', zone = 'Z'] = date;
    const atMs = Date.parse(`${day}T${clock}${zone.toUpperCase()}`);
    if (!Number.isNaN(atMs)) {
      if (atMs >= nowMs) return { to: new Date(atMs).toISOString() };
      return `${text} is in the past. The clock only goes forward; to start at an earlier instant, reset the account.`;
    }
  }
  return `Invalid time "${text}". Expected a duration such as 23h59m, a time such as 18:30, or a date such as 2026-03-02 09:00.`;
}
