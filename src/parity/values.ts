/** The kind of a value in foreign JSON, recognised by its form, because its name is unknown. */
import { channelErrors } from '../domain/errors.js';
import { eventTypes } from '../domain/words.js';

export interface Leaf {
  readonly path: readonly (string | number)[];
  readonly key: string;
  readonly value: string | number | boolean | null;
}

export function leavesOf(value: unknown, path: readonly (string | number)[] = []): Leaf[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, each]) =>
      leavesOf(each, [...path, Array.isArray(value) ? Number(key) : key]),
    );
  const key = path.findLast((each) => typeof each === 'string') ?? '';
  return [{ path, key, value: (value ?? null) as Leaf['value'] }];
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const phone = /^\+[1-9]\d{6,14}$/;

/** Seconds or milliseconds since 1970, between 2001 and 2100. */
export function unixForm(value: unknown): 'unix' | 'unix_ms' | null {
  if (typeof value !== 'number') return null;
  if (value > 978e6 && value < 4.2e9) return 'unix';
  return value > 978e9 && value < 4.2e12 ? 'unix_ms' : null;
}

export const isInstant = (value: unknown): value is string => typeof value === 'string' && instant.test(value);
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);
export const isPhone = (value: unknown): value is string => typeof value === 'string' && phone.test(value);
export const isEventType = (value: unknown): boolean => (eventTypes as readonly unknown[]).includes(value);

/**
 * A word of a program, not of a person: `validation_error`, `AUTH_FAILED`, `otpExpired`. An id made by chance can happen
 * to have no digit: its capitals are anywhere.
 */
export const isWord = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= 40 && /^[A-Za-z]/.test(value) && value.split(/[_.-]+/).every(isPart);

export const isPart = (part: string): boolean =>
  /^(?:[A-Z]{0,24}|[A-Z]{0,6}[a-z]*(?:[A-Z][a-z]+)*[A-Z]{0,6})$/.test(part) && part.length <= 32;

/**
 * The form of a value: of two equal services, corresponding values have the same. Words, flags and small numbers are
 * part of the form; ids, numbers, texts and instants have one each.
 */
export function formOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return unixForm(value) ?? `number ${value}`;
  if (typeof value !== 'string') return Array.isArray(value) ? 'array' : 'object';
  const [, fraction = '', zone] = instant.exec(value) ?? [];
  if (zone !== undefined)
    return `instant with ${Math.max(0, fraction.length - 1)} digits and ${zone === 'Z' ? 'Z' : 'offset'}`;
  if (uuid.test(value)) return 'uuid';
  if (phone.test(value)) return 'number in E.164';
  if (/^wamid\./.test(value)) return 'wamid';
  if (/^https?:\/\//.test(value)) return 'url';
  return isWord(value) ? `word ${value}` : 'text';
}

/** Similarity of a key and a name: `error_code` and `code`, `recipient` and `to`. */
export function nearness(key: string, name: string): number {
  const [own, other] = [wordsOf(key), wordsOf(name)];
  if (own.join() === other.join()) return 4;
  const shared = own.filter((word) => other.includes(word)).length;
  if (shared > 0) return 1 + shared / Math.max(own.length, other.length);
  return own.some((word) => alike[other.at(-1) ?? '']?.includes(word) === true) ? 1 : 0;
}

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);

/** Usual names of the same thing, by the last word of ours. */
const alike: Readonly<Record<string, readonly string[]>> = {
  to: ['recipient', 'receiver', 'phone', 'destination'],
  from: ['sender', 'customer', 'phone', 'source'],
  code: ['key', 'reason', 'error'],
  message: ['title', 'description', 'detail', 'text', 'reason'],
  details: ['errors', 'fields', 'problems', 'violations', 'issues'],
  text: ['body', 'content'],
  url: ['file', 'media', 'link'],
  at: ['ts', 'time', 'timestamp', 'created', 'updated', 'modified', 'changed', 'date'],
  timestamp: ['ts', 'time', 'at', 'date', 'when'],
  type: ['event', 'kind', 'topic', 'name'],
  id: ['ref', 'uid', 'key'],
  error: ['reason', 'failure', 'cause', 'problem'],
  reason: ['why', 'cause', 'because'],
  name: ['profile', 'contact'],
  count: ['total', 'size', 'length', 'amount'],
  items: ['data', 'results', 'webhooks', 'list'],
  status: ['state', 'http'],
};

export const failureOf = (leaves: readonly Leaf[]) =>
  channelErrors.find(({ channelCode }) => leaves.some(({ value }) => value === channelCode)) ??
  channelErrors.find(({ code }) => leaves.some(({ value }) => value === code));
