/** One entry of the journal: an API call with its response. Keys are redacted before an entry is created. */
import { bool, listOf, mapOf, type Of, optional, orNull, record, text } from './check.js';
import { isShallow } from './depth.js';
import { explain } from './explain.js';
import { duration, errorCode, httpStatus, instant, method, numbered, oneLine } from './forms.js';
import { rowFields } from './row.js';

const requestBody = {
  headers: mapOf(text),
  text: optional(text),
  /** Whether the text is only the beginning of a body that is too large for an entry. */
  truncated: optional(bool),
};

export const requestFields = {
  ...rowFields(numbered('req')),
  atMs: instant,
  operation: orNull(text),
  method,
  /** The target as received: a client of a proxy sends the whole URL. */
  path: oneLine,
  /** Null if a fault suppressed the response. */
  status: orNull(httpStatus),
  durationMs: duration,
  request: record({ ...requestBody, query: optional(text) }),
  response: record(requestBody),
  warnings: listOf(text),
  /** The error code of the response. */
  error: optional(errorCode),
  /** The fault that was injected. */
  fault: optional(text),
  explain: optional(explain),
};
export type RequestRecord = Of<typeof requestFields>;

/** Returns a body of an entry: parsed if it is JSON, otherwise its text; undefined without a body. */
export function bodyOf({ headers, text, truncated }: RequestRecord['request']): unknown {
  if (text === undefined || truncated === true) return text;
  const type = headers['content-type'] ?? headers['Content-Type'] ?? 'application/json';
  if (!/\bjson\b/i.test(type)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // A value nested too deeply to be serialised is shown as received.
    return isShallow(value) ? value : text;
  } catch {
    return text;
  }
}
