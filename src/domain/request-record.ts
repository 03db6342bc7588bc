/**
 * One entry of the journal: a call of the API plane as it came and as it was answered.
 * Contract §4 (shapes: request). Keys are redacted before an entry is made.
 */
import type { Explain } from './explain.js';
import type { Row } from './row.js';

export interface RequestRecord extends Row {
  readonly atMs: number;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** Null when the connection was cut instead of answered. */
  readonly status: number | null;
  readonly durationMs: number;
  readonly request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly query?: string;
    readonly body?: unknown;
  };
  readonly response: {
    readonly headers: Record<string, string>;
    readonly body?: unknown;
    /** Of a body larger than an entry may hold there is the beginning, as text. */
    readonly truncated?: boolean;
  };
  /** What its bodies, path and query took on the wire, about; entries of earlier versions do not know. */
  readonly bytes?: number;
  readonly warnings: readonly string[];
  /** The error code of the answer. */
  readonly error?: string;
  /** Which fault struck the answer. */
  readonly fault?: string;
  readonly explain?: Explain;
}
