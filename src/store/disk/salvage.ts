/** Recovers from a damaged checkpoint every record that has a valid line of its own. The caller keeps the file itself. */
import { createTables, type PlainAccountData, tableEntries } from '../tables/account-data.js';
import { isObject } from './check.js';
import { firstLine, parseOr, readCheckpoint, tableOpening, withoutComma } from './checkpoint-file.js';
import { type FoundHead, upToDate } from './file-version.js';
import { lineText, linesOf } from './lines.js';
import { unpackRows } from './packed-rows.js';
import { soundData } from './account-schema.js';

export interface Salvaged {
  readonly head: FoundHead;
  readonly data: PlainAccountData;
  /** Lines or records that are lost. */
  readonly lost: number;
  /** Where the file ends before its time, as half a sentence; null where its end is there. */
  readonly breakOff: string | null;
}

/** Null when not even the head and the counters can be read: without them records mean nothing. */
export function salvageCheckpoint(bytes: Buffer): Salvaged | null {
  const whole = readCheckpoint(bytes);
  const found = whole.ok ? { ...whole.value, lost: 0, breakOff: null } : readLines(bytes);
  const sound = found && soundData(found.content);
  if (!found || !sound) return null;
  const { head, lost, breakOff } = found;
  return { head, data: sound.data, lost: lost + sound.dropped, breakOff };
}

interface FoundLines extends Pick<Salvaged, 'head' | 'lost' | 'breakOff'> {
  readonly content: Record<string, unknown>;
}

/** The layout of a checkpoint, passing over every line that is none. */
function readLines(bytes: Buffer): FoundLines | null {
  const first = firstLine(bytes);
  if (first === null) return null;
  const tables: Record<string, unknown[]> = {};
  const fields: { meta?: unknown; parts?: unknown } = {};
  let rows: unknown[] | null = null;
  let lost = 0;
  let ended = false;
  for (const line of linesOf(bytes)) {
    const text = lineText(bytes, line);
    const bare = withoutComma(text);
    ended = lastLine.test(text);
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
  if (!verdict.ok) return null;
  const { head, content } = verdict.value;
  return { head, content: unpackRows(content), lost, breakOff: ended ? null : breakOffOf(tables, rows !== null) };
}

/** The sum, or what ended the files of the first version. */
const lastLine = /^(?:"sum":"[0-9a-f]{8}"\}|\}\})$/;

/** @param within whether the last table was still open */
function breakOffOf(tables: Readonly<Record<string, readonly unknown[]>>, within: boolean): string {
  const [name, rows] = Object.entries(tables).at(-1) ?? [];
  const last = rows?.at(-1);
  const id = isObject(last) && typeof last.id === 'string' ? last.id : Array.isArray(last) ? String(last[0]) : null;
  const record = id === null ? 'before its first record' : `after the record ${JSON.stringify(id)}`;
  const place =
    name === undefined ? 'before its first table' : within ? `in table ${name}, ${record}` : `behind table ${name}`;
  const missing = tableEntries(createTables()).flatMap(([table]) => (Object.hasOwn(tables, table) ? [] : [table]));
  return missing.length === 0 ? place : `${place}; ${missing.join(', ')} are missing`;
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
