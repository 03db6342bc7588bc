/**
 * The layout of a checkpoint: JSON that any tool reads, one record a line for people and for `diff`, the head on the first
 * line so that whose file it is can be told without reading it all (contract §7).
 */
import type { Meta } from './account-data.js';
import { isObject } from './check.js';
import { type Disk, errorText } from './disk.js';
import { accountFormat, currentVersion, type FoundHead, type Head, upToDate, type Verdict } from './file-version.js';
import { linesOf } from './lines.js';

/** What comes before the tables. */
export function opening(head: Head, meta: Meta): string {
  const first = JSON.stringify({ format: accountFormat, version: currentVersion, key: head.key, log: head.log });
  return `${first.slice(0, -1)},\n"meta":${JSON.stringify(meta)},\n"tables":{\n`;
}

/** A key is a header's worth at most. */
const longestHead = 128 * 1024;

export const closing = '}}\n';

export interface AccountContent {
  readonly head: FoundHead;
  /** `meta` and `tables`, not yet judged. */
  readonly content: Record<string, unknown>;
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
  const parsed = parseByLine(bytes) ?? parseWhole(bytes);
  if (typeof parsed === 'string') return { ok: false, newer: false, reason: parsed };
  return upToDate(parsed.value);
}

/** The first line of a checkpoint in our layout, as an object; null when it is none. */
export function firstLine(bytes: Buffer): Record<string, unknown> | null {
  const [line] = linesOf(bytes.subarray(0, longestHead));
  if (line?.whole !== true || !line.text.startsWith('{"format":') || !line.text.endsWith(',')) return null;
  const head = parseOr(`${line.text.slice(0, -1)}}`);
  return isObject(head) ? head : null;
}

/** The layout above, read a record at a time; null when the file is laid out otherwise (a person's editor did it). */
function parseByLine(bytes: Buffer): { value: unknown } | null {
  const head = firstLine(bytes);
  if (head === null) return null;
  const tables: Record<string, unknown> = {};
  let meta: unknown;
  let rows: unknown[] | null = null;
  let number = 0;
  let ended = false;
  for (const { text } of linesOf(bytes)) {
    number += 1;
    const bare = text.endsWith(',') ? text.slice(0, -1) : text;
    if (ended) return null;
    if (number === 1 || (number === 3 && text === '"tables":{')) continue;
    if (number === 2) {
      const object = parseOr(`{${bare}}`);
      if (!isObject(object)) return null;
      ({ meta } = object);
    } else if (rows) {
      const row = bare === ']' ? undefined : parseOr(bare);
      if (row === undefined && bare !== ']') return null;
      if (bare === ']') rows = null;
      else rows.push(row);
    } else if (text === '}}') {
      ended = true;
    } else {
      const table = tableOpening(bare);
      if (table === null) return null;
      const list: unknown[] = [];
      tables[table.name] = list;
      if (!table.isEmpty) rows = list;
    }
  }
  return ended ? { value: { ...head, meta, tables } } : null;
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
    return bytes.length === 0 ? 'it is empty' : `it is no whole JSON (${errorText(error)})`;
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
