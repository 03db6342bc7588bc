/**
 * Reads a checkpoint in any condition: as written, edited by a person, of an older version, or damaged. From a damaged
 * one, it recovers every record that has a valid line.
 */
import { createTables, type PlainAccountData, tableEntries } from '../tables/account-data.js';
import { checkAccount } from '../schema/account-schema.js';
import { isObject } from '../../domain/check.js';
import { atOnce } from '../../time/turns.js';
import { type FoundHead, isUntouched, unusable, upToDate, type Verdict } from './checkpoint.js';
import type { Disk } from './disk.js';
import { errorText } from './disk-errors.js';
import { linesOf, parseOr } from './log-lines.js';
import { unpackRows } from './packed-rows.js';

/** The head contains a key, which came in an HTTP header. */
const longestHead = 128 * 1024;

export interface Checkpoint {
  readonly head: FoundHead;
  readonly data: PlainAccountData;
  /** The error in the file, as a clause; null if there is none. */
  readonly damage: string | null;
  /** The number of records that are lost. */
  readonly lost: number;
  /** Where an incomplete file ends, as a phrase; null if it is complete. */
  readonly breakOff: string | null;
}

/** Returns the account of a file: from its first line if possible, otherwise from the whole file. */
export async function readHead(disk: Disk, path: string): Promise<Verdict<FoundHead>> {
  const first = firstLine(await disk.read(path, longestHead));
  const parsed = first === null ? parseWhole(await disk.read(path)) : { value: first };
  if (typeof parsed === 'string') return unusable(parsed);
  const verdict = upToDate(parsed.value);
  return verdict.ok ? { ok: true, value: verdict.value.head } : verdict;
}

/** Returns the account of a checkpoint. A file without a valid head, counters and clock is unusable. */
export function readCheckpoint(bytes: Buffer): Verdict<Checkpoint> {
  const lines = readLines(bytes);
  const whole = lines?.isClean === true ? { value: lines.content } : parseWhole(bytes);
  const torn = typeof whole === 'string' ? whole : null;
  if (torn !== null && lines === null) return unusable(torn);
  const verdict = upToDate(typeof whole === 'string' ? lines?.content : whole.value);
  if (!verdict.ok) return verdict;
  const { head } = verdict.value;
  const content = unpackRows(verdict.value.content);
  if (torn === null && isUntouched(bytes)) {
    // The sandbox validated it before it was written.
    const data = content as unknown as PlainAccountData;
    return { ok: true, value: { head, data, damage: null, lost: 0, breakOff: null } };
  }
  const { data, dropped, error } = atOnce(checkAccount(content));
  const damage = torn ?? error?.message ?? null;
  if (data === null) return unusable(damage ?? '');
  const [lost, breakOff] = torn === null || lines === null ? [0, null] : [lines.lost, lines.breakOff];
  return { ok: true, value: { head, data, damage, lost: lost + dropped, breakOff } };
}

/** The first line of a file in the layout of a checkpoint, as an object; null for any other file. */
function firstLine(bytes: Buffer): Record<string, unknown> | null {
  const [line] = linesOf(bytes.subarray(0, longestHead));
  if (line?.isWhole !== true || !line.text.startsWith('{"format":') || !line.text.endsWith(',')) return null;
  const head = parseOr(`${withoutComma(line.text)}}`);
  return isObject(head) ? head : null;
}

interface Lines {
  readonly content: Record<string, unknown>;
  /** Whether every line has its place in the layout. */
  readonly isClean: boolean;
  readonly lost: number;
  readonly breakOff: string | null;
}

/** Lines without content. */
const layout: ReadonlySet<string> = new Set(['"tables":{', '},', '}}']);
/** The checksum, or the end of files of version 1. */
const lastLine = /^(?:"sum":"[0-9a-f]{8}"\}|\}\})$/;

/** Reads one record at a time, and skips unreadable lines. */
function readLines(bytes: Buffer): Lines | null {
  const first = firstLine(bytes);
  if (first === null) return null;
  const tables: Record<string, unknown[]> = {};
  const content: Record<string, unknown> = { ...first, tables };
  let rows: unknown[] | null = null;
  let lost = 0;
  let isClean = true;
  let isFirst = true;
  let hasEnded = false;
  for (const { text } of linesOf(bytes)) {
    if (hasEnded) isClean = false;
    hasEnded = lastLine.test(text);
    if (isFirst || layout.has(text) || hasEnded) {
      if (rows) isClean = false;
      isFirst = false;
      continue;
    }
    const bare = withoutComma(text);
    const table = tableOpening(bare);
    const row = rows && table === null && bare !== ']' ? parseOr(bare) : undefined;
    if (table) {
      if (rows) isClean = false;
      const list: unknown[] = (tables[table.name] = []);
      rows = table.isEmpty ? null : list;
    } else if (bare === ']') rows = null;
    else if (typeof row === 'object' && row !== null) rows?.push(row);
    else if (rows || !takeField(content, bare)) lost += 1;
  }
  const breakOff = hasEnded ? null : breakOffOf(tables, rows !== null);
  return { content, isClean: isClean && hasEnded && lost === 0, lost, breakOff };
}

function withoutComma(text: string): string {
  return text.endsWith(',') ? text.slice(0, -1) : text;
}

/** The line that opens a table, without its comma. */
function tableOpening(bare: string): { readonly name: string; readonly isEmpty: boolean } | null {
  const found = /^"(\w+)":\[(\])?$/.exec(bare);
  if (found?.[1] === undefined || found[1] === '__proto__') return null;
  return { name: found[1], isEmpty: found[2] !== undefined };
}

/** Reads a line before or after the tables; returns false for any other line. */
function takeField(content: Record<string, unknown>, bare: string): boolean {
  const found = parseOr(`{${bare}}`) ?? parseOr(`{${bare}`);
  if (!isObject(found)) return false;
  const names = ['meta', 'parts'].filter((name) => Object.hasOwn(found, name));
  for (const name of names) content[name] = found[name];
  return names.length > 0;
}

/** @param isWithin whether the last table was still open */
function breakOffOf(tables: Readonly<Record<string, readonly unknown[]>>, isWithin: boolean): string {
  const [name, rows] = Object.entries(tables).at(-1) ?? [];
  const last = rows?.at(-1);
  const id = isObject(last) && typeof last.id === 'string' ? last.id : Array.isArray(last) ? String(last[0]) : null;
  const record = id === null ? 'before its first record' : `after the record ${JSON.stringify(id)}`;
  const place =
    name === undefined ? 'before its first table' : isWithin ? `in table ${name}, ${record}` : `behind table ${name}`;
  const missing = tableEntries(createTables()).flatMap(([table]) => (Object.hasOwn(tables, table) ? [] : [table]));
  return missing.length === 0 ? place : `${place}; ${missing.join(', ')} are missing`;
}

function parseWhole(bytes: Buffer): { readonly value: unknown } | string {
  try {
    return { value: JSON.parse(bytes.toString('utf8')) as unknown };
  } catch (error) {
    return bytes.length === 0 ? 'it is empty' : `it is not complete JSON (${errorText(error)})`;
  }
}
