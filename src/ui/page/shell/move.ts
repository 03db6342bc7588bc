import type { Move } from '../core/advance.js';
import { durationMs } from '../core/words.js';

/**
 * Parses `23h59m` or `23 h 59 min`, `+5m`, a time of day (the next one), or a date with or without a time. All are UTC.
 * @returns the move, or an error message
 */
export function moveOf(typed: string, nowMs: number): Move | string {
  const text = typed.trim();
  const by = text
    .toLowerCase()
    .replaceAll(/^\+|\s+/g, '')
    .replaceAll(/(?<=\d)([dhms])(?:ays?|ours?|rs?|inutes?|ins?|econds?|ecs?)/g, '$1');
  if (durationMs(by) !== null) return { by };
  const [today] = new Date(nowMs).toISOString().split('T');
  const clockTime = /^\d{1,2}:\d\d(?::\d\d)?$/.test(text) ? text.padStart(text.length > 5 ? 8 : 5, '0') : '';
  const time = Date.parse(`${today ?? ''}T${clockTime}Z`);
  if (!Number.isNaN(time)) return { to: new Date(time <= nowMs ? time + 86_400_000 : time).toISOString() };
  const [, day, clock = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i.exec(text) ?? [];
  const date = Date.parse(`${day ?? ''}T${clock}${zone.toUpperCase()}`);
  if (date >= nowMs) return { to: new Date(date).toISOString() };
  if (date < nowMs)
    return `${text} is in the past. The clock only goes forward; to start at an earlier instant, reset the account.`;
  return `Invalid time "${text}". Expected a duration such as 23h59m, a time such as 18:30, or a date such as 2026-03-02 09:00.`;
}
