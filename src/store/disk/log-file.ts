/** Reads one generation of a change log: whole, valid lines are applied in order. */
import { parseBatch } from './log-entry.js';
import { isObject } from './check.js';
import { currentVersion, logFormat } from './file-version.js';
import { lineText, linesOf } from './lines.js';
import type { Replica } from './log-replay.js';

export interface LogReport {
  /** Bytes up to the end of the last whole line. */
  readonly goodBytes: number;
  /** Bytes after it: a line that was being written when the process ended. */
  readonly tornBytes: number;
  /** The first line that could not be used although it is whole, and how many there are. */
  readonly bad: { readonly line: number; readonly reason: string; readonly count: number } | null;
}

/** The log was written by a later version: hands off. */
export class NewerLogError extends Error {
  override readonly name = 'NewerLogError';
}

/**
 * Applies a log to `replica` and tells what could not be applied.
 * @throws NewerLogError when a later version wrote it
 */
export function applyLog(bytes: Buffer, key: string, replica: Replica): LogReport {
  const bad: { line: number; reason: string }[] = [];
  let number = 0;
  let goodBytes = 0;
  for (const line of linesOf(bytes)) {
    if (!line.whole) break;
    number += 1;
    goodBytes = line.end;
    const text = lineText(bytes, line);
    const parsed = number === 1 ? headProblem(text, key) : parseBatch(text);
    if (typeof parsed === 'string') {
      bad.push({ line: number, reason: parsed });
      // A file that is not a log of this account has nothing to say about it.
      if (number === 1) return { goodBytes: bytes.length, tornBytes: 0, bad: { line: 1, reason: parsed, count: 1 } };
    } else if (parsed) replica.apply(parsed);
  }
  const [first] = bad;
  return {
    goodBytes,
    tornBytes: bytes.length - goodBytes,
    bad: first ? { ...first, count: bad.length } : null,
  };
}

function headProblem(line: string, key: string): string | null {
  let head: unknown;
  try {
    head = JSON.parse(line);
  } catch {
    return 'is not JSON';
  }
  if (!isObject(head) || head.format !== logFormat) return `is not the first line of a log ("format": "${logFormat}")`;
  if (head.key !== key) return `says that the log is of the account ${JSON.stringify(head.key)}`;
  if (typeof head.version !== 'number') return 'has no version number';
  if (head.version > currentVersion) {
    throw new NewerLogError(`has version ${head.version} and this sandbox supports versions up to ${currentVersion}`);
  }
  return null;
}
