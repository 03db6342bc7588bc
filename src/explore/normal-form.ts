/** The output of an application, without the parts that differ between two equal runs. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Marks a part that differs between runs without faults. */
export const unstable = '(differs between runs without faults)';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const ID = /\b(?:evt|del|att|req|job|whsec)_[A-Za-z0-9]+|wamid\.[A-Za-z0-9+/=]+/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
/** In a line of a log: a time of a logging library, or a number of attempts or seconds. */
const COUNT =
  /\b(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d(?:[.,]\d+)?\b|\b(?:attempt|try|retry)\W{1,3}\d+|\b\d+(?:\.\d+)? ?(?:ms|s|seconds)\b/gi;
const HOST = /\b(?:localhost|127\.0\.0\.1|\[::1\]):\d+/g;

/**
 * Names of log entries, such as attempts, rejections and times. A fault changes these in a correct application, too,
 * so they are not compared.
 */
const DIARY =
  /(?:^|_)(?:retr(?:y|ies|ied)|attempts?|tries|calls|polls|requests|deliveries|duplicates?|ignored|skipped|rejected_?(?:signatures?|events?|requests?)|invalid|forged|unauthorized|errors?|warnings?|logs?|elapsed|duration|latency|uptime|ms|seconds|at|time|timestamp|date|port|pid)s?(?:_(?:count|total|number))?$/;

function isDiary(name: string): boolean {
  return DIARY.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase());
}

/**
 * Replaces ids, times and ports by words, leaves out log entries, and sorts lists, because the order of messages may
 * differ.
 */
export function normalForm(value: unknown): Json {
  if (typeof value === 'string') return isLog(value) ? Object.fromEntries(logLines(value)) : plain(value);
  if (Array.isArray(value)) return sorted(value.map(normalForm));
  if (typeof value !== 'object' || value === null) return (value ?? null) as Json;
  const kept = Object.entries(value).filter(([name, part]) => !(isDiary(name) && !isRecord(part)));
  return Object.fromEntries(kept.map(([name, part]) => [plain(name), normalForm(part)]).sort(byName)) as Json;
}

/** Begins the name of a line of a log, such as a file of several lines. */
const lineMark = 'line: ';
const isLog = (text: string): boolean => text.trim().includes('\n');

/** A line may occur more often after a fault, and there may be further lines: only a line that is missing counts. */
function logLines(text: string): [string, Json][] {
  const lines = text.split('\n').map((line) => plain(line).replace(COUNT, '<number>').trim());
  return [...new Set(lines)].filter((line) => line !== '').map((line) => [lineMark + line, 'written']);
}

const COMPLAINT = /error|warning|log|skipped|rejected/i;

/** Returns the log entries that report a problem, as one text. */
export function complaints(value: unknown): string {
  if (typeof value === 'string' && isLog(value)) return JSON.stringify(logLines(value));
  if (typeof value !== 'object' || value === null) return '';
  const entries = Object.entries(value).map(([name, part]) =>
    COMPLAINT.test(name) && isDiary(name) ? `${name}: ${plain(JSON.stringify(part))}` : complaints(part),
  );
  return entries.filter((words) => words !== '').join('\n');
}

export function plain(text: string): string {
  return text.replace(UUID, '<id>').replace(ID, '<id>').replace(TIME, '<time>').replace(HOST, '<host>');
}

const byName = ([a]: readonly unknown[], [b]: readonly unknown[]): number => String(a).localeCompare(String(b));
const sorted = (list: Json[]): Json[] => list.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

export function isRecord(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the common parts of two values, and marks the rest as unstable. */
export function agreed(a: Json, b: Json): Json {
  if (isRecord(a) && isRecord(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    return Object.fromEntries(
      names.map((name) => [name, name in a && name in b ? agreed(a[name] ?? null, b[name] ?? null) : unstable]),
    );
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length)
    return a.map((part, i) => agreed(part, b[i] ?? null));
  return JSON.stringify(a) === JSON.stringify(b) ? a : unstable;
}

/** The states of a message in order. A later state than expected is not a deviation. */
export const progress: readonly string[] = ['queued', 'accepted', 'sent', 'delivered', 'read'];

export interface Difference {
  readonly path: string;
  readonly expected: Json;
  readonly found: Json | undefined;
}

/** Returns the paths at which `found` differs from `expected`, without unstable parts. */
export function differences(expected: Json, found: Json | undefined, path = ''): Difference[] {
  if (expected === unstable || hasGotFurther(expected, found)) return [];
  if (isRecord(expected) && isRecord(found)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])];
    return names.flatMap((name) => {
      if (name.startsWith(lineMark) && !(name in expected)) return [];
      const at = path === '' ? name : `${path}.${name}`;
      if (name in expected) return differences(expected[name] ?? null, found[name], at);
      return [{ path: at, expected: null, found: found[name] }];
    });
  }
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    return expected.flatMap((part, i) => differences(part, found[i], `${path}[${i}]`));
  }
  return JSON.stringify(expected) === JSON.stringify(found) ? [] : [{ path, expected, found }];
}

function hasGotFurther(expected: Json, found: Json | undefined): boolean {
  if (typeof expected !== 'string' || typeof found !== 'string') return false;
  const from = progress.indexOf(expected.toLowerCase());
  return from >= 0 && progress.indexOf(found.toLowerCase()) >= from;
}

/** Returns the values of a normal form with their paths. */
export function leaves(value: Json, path = ''): { readonly path: string; readonly value: Json }[] {
  if (Array.isArray(value)) return value.flatMap((part, i) => leaves(part, `${path}[${i}]`));
  if (isRecord(value))
    return Object.keys(value).flatMap((name) => leaves(value[name] ?? null, path === '' ? name : `${path}.${name}`));
  return [{ path, value }];
}
