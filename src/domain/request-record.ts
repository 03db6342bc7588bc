import { isShallow } from './json.js';
import type { RequestRecord } from './rows.js';

export type { RequestRecord } from './rows.js';

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
