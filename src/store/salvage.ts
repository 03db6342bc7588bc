/**
 * What can still be had of a damaged checkpoint: every record that stands on a line of its own and makes sense
 * (contract §7: the rest loads). The file itself is kept by whoever asks.
 */
import type { StoredAccountData } from './account-data.js';
import { awakened } from './awaken.js';
import { isObject } from './check.js';
import { firstLine, parseOr, readCheckpoint, tableOpening, withoutComma } from './checkpoint-file.js';
import { type FoundHead, upToDate } from './file-version.js';
import { lineText, linesOf } from './lines.js';
import { soundData } from './plain-data.js';

export interface Salvaged {
  readonly head: FoundHead;
  readonly data: StoredAccountData;
  /** Lines or records that are lost. */
  readonly lost: number;
}

/** Null when not even the head and the counters can be read: without them records mean nothing. */
export function salvageCheckpoint(bytes: Buffer): Salvaged | null {
  const whole = readCheckpoint(bytes);
  const found = whole.ok ? { ...whole.value, lost: 0 } : readLines(bytes);
  const sound = found && soundData(awakened(found.content));
  if (!found || !sound) return null;
  return { head: found.head, data: sound.data as StoredAccountData, lost: found.lost + sound.dropped };
}

/** The layout of a checkpoint, passing over every line that is none. */
function readLines(bytes: Buffer): { head: FoundHead; content: Record<string, unknown>; lost: number } | null {
  const first = firstLine(bytes);
  if (first === null) return null;
  const tables: Record<string, unknown[]> = {};
  const fields: { meta?: unknown; parts?: unknown } = {};
  let rows: unknown[] | null = null;
  let lost = 0;
  for (const line of linesOf(bytes)) {
    const text = lineText(bytes, line);
    const bare = withoutComma(text);
    if (line.start === 0 || layout.has(text)) continue;
    const table = tableOpening(bare);
    const row = rows && table === null && bare !== ']' ? parseOr(bare) : undefined;
    if (table) {
      const list: unknown[] = (tables[table.name] = []);
      rows = table.isEmpty ? null : list;
    } else if (bare === ']') rows = null;
    else if (typeof row === 'object' && row !== null) rows?.push(row);
    else if (rows || !takeField(fields, bare)) lost += 1;
  }
  const verdict = upToDate({ ...first, ...fields, tables });
  return verdict.ok ? { ...verdict.value, lost } : null;
}

/** Lines that hold nothing. */
const layout: ReadonlySet<string> = new Set(['"tables":{', '},', '}}']);

/** A line before or after the tables; false when it is none. */
function takeField(fields: { meta?: unknown; parts?: unknown }, bare: string): boolean {
  const found = parseOr(`{${bare}}`) ?? parseOr(`{${bare}`);
  if (!isObject(found)) return false;
  if (Object.hasOwn(found, 'meta')) fields.meta = found.meta;
  if (Object.hasOwn(found, 'parts')) fields.parts = found.parts;
  return true;
}
