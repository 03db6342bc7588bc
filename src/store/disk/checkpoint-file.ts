/**
 * Reading a checkpoint (its layout: `checkpoint.ts`), in whatever form it is found: as we wrote it, changed by a
 * person's editor, or of an older version.
 */
import { crc32 } from 'node:zlib';
import { isObject } from './check.js';
import { sumLine } from './checkpoint.js';
import { type Disk } from './disk.js';
import { errorText } from './disk-errors.js';
import { type FoundHead, upToDate, type Verdict } from './file-version.js';
import { type Line, lineText, linesOf } from './lines.js';
import { unpackRows } from './packed-rows.js';

/** A key is a header's worth at most. */
const longestHead = 128 * 1024;

export interface AccountContent {
  readonly head: FoundHead;
  /** `meta` and `tables`, not yet checked. */
  readonly content: Record<string, unknown>;
  /** Whether the sum says that every byte is as we wrote it. */
  readonly untouched: boolean;
}

/** Whose file it is: from its first line where that is as we write it, from the whole otherwise. */
export async function readHead(disk: Disk, path: string): Promise<Verdict<FoundHead>> {
  const first = firstLine(await disk.read(path, longestHead));
  const parsed = first === null ? parseWhole(await disk.read(path)) : { value: first };
  if (typeof parsed === 'string') return { ok: false, newer: false, reason: parsed };
  const verdict = upToDate(parsed.value);
  return verdict.ok ? { ok: true, value: verdict.value.head } : verdict;
}

/** The whole content of an account file, in any layout, brought up to the present version. */
export function readCheckpoint(bytes: Buffer): Verdict<AccountContent> {
  const untouched = sumFits(bytes);
  const parsed = parseByLine(bytes) ?? parseWhole(bytes);
  if (typeof parsed === 'string') return { ok: false, newer: false, reason: parsed };
  const verdict = upToDate(parsed.value);
  if (!verdict.ok) return verdict;
  const { head, content } = verdict.value;
  return { ok: true, value: { head, content: unpackRows(content), untouched } };
}

function sumFits(bytes: Buffer): boolean {
  const start = bytes.lastIndexOf(10, -2) + 1;
  return start > 0 && bytes.toString('latin1', start) === sumLine(crc32(bytes.subarray(0, start)));
}

/** The first line of a checkpoint in our layout, as an object; null when it is none. */
export function firstLine(bytes: Buffer): Record<string, unknown> | null {
  const [line] = linesOf(bytes.subarray(0, longestHead));
  if (line?.whole !== true) return null;
  const text = lineText(bytes, line);
  if (!text.startsWith('{"format":') || !text.endsWith(',')) return null;
  const head = parseOr(`${text.slice(0, -1)}}`);
  return isObject(head) ? head : null;
}

/** Our layout, read a record at a time; null when the file is laid out otherwise (a person's editor did it). */
function parseByLine(bytes: Buffer): { value: unknown } | null {
  const head = firstLine(bytes);
  if (head === null) return null;
  const content: Record<string, unknown> = { ...head };
  const tables: Record<string, unknown> = (content.tables = {});
  let rows: unknown[] | null = null;
  let place: 'head' | 'tables' | 'after' | 'end' = 'head';
  let number = 0;
  for (const line of linesOf(bytes)) {
    number += 1;
    if (rows) {
      const row = rowOf(bytes, line);
      if (row === undefined) return null;
      if (row === endOfRows) rows = null;
      else rows.push(row);
      continue;
    }
    const text = lineText(bytes, line);
    if (number === 1) continue;
    if (place === 'end') return null;
    if (place === 'head' && text === '"tables":{') place = 'tables';
    else if (place === 'tables' && (text === '}}' || text === '},')) place = text === '}}' ? 'end' : 'after';
    else if (place === 'tables') {
      const table = tableOpening(withoutComma(text));
      if (table === null) return null;
      const list: unknown[] = (tables[table.name] = []);
      if (!table.isEmpty) rows = list;
    } else {
      const last = place === 'after' && text.endsWith('}') && !text.endsWith(',');
      const field = parseOr(`{${last ? text.slice(0, -1) : withoutComma(text)}}`);
      if (!isObject(field)) return null;
      for (const name of ['meta', 'parts'] as const) if (Object.hasOwn(field, name)) content[name] = field[name];
      if (last) place = 'end';
    }
  }
  return place === 'end' ? { value: content } : null;
}

const endOfRows = Symbol('end of rows');

/** Undefined for a line that is no record. */
function rowOf(bytes: Buffer, line: Line): unknown {
  const bare = withoutComma(lineText(bytes, line));
  return bare === ']' ? endOfRows : parseOr(bare);
}

export function withoutComma(text: string): string {
  return text.endsWith(',') ? text.slice(0, -1) : text;
}

/** The line that opens a table, without its comma. */
export function tableOpening(bare: string): { readonly name: string; readonly isEmpty: boolean } | null {
  const found = /^"(\w+)":\[(\])?$/.exec(bare);
  if (found?.[1] === undefined || found[1] === '__proto__') return null;
  return { name: found[1], isEmpty: found[2] !== undefined };
}

function parseWhole(bytes: Buffer): { value: unknown } | string {
  try {
    return { value: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch (error) {
    return bytes.length === 0 ? 'it is empty' : `it is not complete JSON (${errorText(error)})`;
  }
}

/** The value of a JSON text, or undefined. */
export function parseOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
