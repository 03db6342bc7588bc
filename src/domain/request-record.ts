/** One entry of the journal: an API call with its response. Keys are redacted before an entry is created. */
import { isShallow } from './depth.js';
import type { Explain } from './explain.js';
import type { Row } from './row.js';

export interface RequestRecord extends Row {
  readonly atMs: number;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** Null if a fault suppressed the response. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly query?: string;
    readonly text?: string;
    /** Instead of the text, in entries of earlier versions. */
    readonly body?: unknown;
  };
  readonly response: {
    readonly headers: Record<string, string>;
    readonly text?: string;
    /** Instead of the text, in entries of earlier versions. */
    readonly body?: unknown;
    /** Whether the text is only the beginning of a body that is too large for an entry. */
    readonly truncated?: boolean;
  };
  /** Written by earlier versions; no longer used. */
  readonly bytes?: number;
  readonly warnings: readonly string[];
  /** The error code of the response. */
  readonly error?: string;
  /** The fault that was injected. */
  readonly fault?: string;
  readonly explain?: Explain;
}

/** Returns a body of an entry: parsed if it is JSON, otherwise its text; undefined without a body. */
export function bodyOf({ headers, text, body }: RequestRecord['request']): unknown {
  if (text === undefined) return body;
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
