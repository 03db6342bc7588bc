/**
 * What can still be had of a damaged checkpoint: every record that stands on a line of its own and makes sense
 * (contract §7: the rest loads). The file itself is kept by whoever asks.
 */
import type { PlainAccountData } from './account-data.js';
import { isObject } from './check.js';
import { firstLine, parseOr, readCheckpoint, tableOpening } from './checkpoint-file.js';
import { type FoundHead, upToDate } from './file-version.js';
import { linesOf } from './lines.js';
import { soundData } from './plain-data.js';

export interface Salvaged {
  readonly head: FoundHead;
  readonly data: PlainAccountData;
  /** Lines or records that are lost. */
  readonly lost: number;
}

/** Null when not even the head and the counters can be read: without them records mean nothing. */
export function salvageCheckpoint(bytes: Buffer): Salvaged | null {
  const whole = readCheckpoint(bytes);
  const found = whole.ok ? { ...whole.value, lost: 0 } : readLines(bytes);
  const sound = found && soundData(found.content);
  return found && sound ? { head: found.head, data: sound.data, lost: found.lost + sound.dropped } : null;
}

/** The layout of a checkpoint, passing over every line that is none. */
function readLines(bytes: Buffer): { head: FoundHead; content: Record<string, unknown>; lost: number } | null {
  const first = firstLine(bytes);
  if (first === null) return null;
  const tables: Record<string, unknown[]> = {};
  let meta: unknown;
  let rows: unknown[] | null = null;
  let number = 0;
  let lost = 0;
  for (const { text } of linesOf(bytes)) {
    number += 1;
    const bare = text.endsWith(',') ? text.slice(0, -1) : text;
    if (number === 1 || (number === 3 && text === '"tables":{') || text === '}}') continue;
    if (number === 2) {
      const object = parseOr(`{${bare}}`);
      if (!isObject(object)) return null;
      ({ meta } = object);
      continue;
    }
    const table = tableOpening(bare);
    const row = rows && table === null && bare !== ']' ? parseOr(bare) : undefined;
    if (table) tables[table.name] = rows = [];
    else if (bare === ']') rows = null;
    else if (isObject(row)) rows?.push(row);
    else lost += 1;
  }
  const verdict = upToDate({ ...first, meta, tables });
  return verdict.ok ? { ...verdict.value, lost } : null;
}
