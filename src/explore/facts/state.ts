export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Marks a part that differs between runs without faults. */
export const unstable = '(differs between runs without faults)';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** The ids that an application sees. Shorter ones, such as `job_7`, are its own, and so is the name of a field such as `req_id`. */
const ID = /\b(?:evt|req|whsec)_[A-Za-z0-9]{16,}|wamid\.[A-Za-z0-9+/=]+/g;
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const HOST = /\b(?:localhost|127\.0\.0\.1|\[::1\]):\d+/g;
/** In a line of a log: a time of day, or a number of attempts or seconds. */
const COUNT =
  /\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b|\b(?:attempt|try|retry|duration\w*)\W{1,3}[\d.]+|\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b/gi;
/** Seconds or milliseconds since 1970, from 2001 to 2065. */
const isInstant = (value: number): boolean => (value > 1e9 && value < 3e9) || (value > 1e12 && value < 3e12);

export function plain(text: string): string {
  return text.replace(UUID, '<id>').replace(ID, '<id>').replace(TIME, '<time>').replace(HOST, '<host>');
}

/** Differences between two equal runs are left out. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => plain(line).replace(COUNT, '<number>').trim());
  return [...new Set(lines)].filter((line) => line !== '');
}

/** Returns a line without its numbers, and without ids that contain any. */
export const numberless = (line: string): string => line.replace(/[\w.,]*\d[\w.,]*/g, '<number>');

/** Replaces ids and times by words. A text of several lines, such as a log, becomes its lines. */
export function normalForm(value: unknown): Json {
  if (typeof value === 'string') {
    return value.trim().includes('\n')
      ? Object.fromEntries(linesOf(value).map((line) => [line, logged]))
      : plain(value);
  }
  if (typeof value === 'number' && isInstant(value)) return '<time>';
  if (Array.isArray(value)) return value.map(normalForm);
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json;
  const parts = new Map<string, Json[]>();
  for (const [name, part] of Object.entries(value))
    parts.set(plain(name), [...(parts.get(plain(name)) ?? []), normalForm(part)]);
  // Records under ids are a list.
  return Object.fromEntries([...parts].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? null) : all]));
}

const logged = 'logged';

export function isRecord(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The states of a message in order. A later state than expected is not a deviation. */
export const progress: readonly string[] = ['queued', 'accepted', 'sent', 'delivered', 'read'];
