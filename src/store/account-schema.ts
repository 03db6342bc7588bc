/** A snapshot may have been edited by a person. */
import type { z } from 'zod';
import { isObject } from '../domain/json.js';
import { mustBe } from '../domain/must-be.js';
import { metaSchema, rowSchemas } from '../domain/rows.js';
import type { PlainAccountData, TableName } from './account-data.js';

export interface Problem {
  readonly path: string;
  /** Expected and actual value as one clause, to follow the path. */
  readonly message: string;
}

/** The problems of a large invalid file must not fill the memory. */
const mostProblems = 100;

/** The same objects, with an empty list for a missing table. Unknown fields stay; nothing reads them. */
export function parsePlainData(value: unknown): PlainAccountData | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const add = (path: string, expected: string, found: unknown): void => {
    if (problems.length < mostProblems) problems.push({ path, message: mustBe(expected, found) });
  };
  const check = (schema: z.ZodType, found: unknown, path: string): void => {
    for (const issue of schema.safeParse(found).error?.issues ?? []) {
      const inner = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
      const at = issue.path.reduce<unknown>((object, part) => (object as Record<PropertyKey, unknown>)[part], found);
      add(path + inner, at === undefined ? 'set: the field is required' : issue.message, at);
    }
  };
  if (!isObject(value)) {
    add('the file', 'an object with meta and tables', value);
    return { problems };
  }
  check(metaSchema, value['meta'], 'meta');
  const { seq: lastSeq } = (isObject(value['meta']) ? value['meta'] : {}) as { readonly seq?: unknown };
  const tables = value['tables'];
  if (!isObject(tables)) {
    add('tables', 'an object with a list for each kind of record', tables);
    return { problems };
  }
  const names = Object.keys(rowSchemas) as TableName[];
  for (const name of Object.keys(tables)) {
    if (!Object.hasOwn(rowSchemas, name)) add(`tables.${name}`, `one of ${names.join(', ')}`, tables[name]);
  }
  for (const name of names) {
    const rows = tables[name] ?? [];
    if (!Array.isArray(rows)) {
      add(`tables.${name}`, 'a list of records', rows);
      continue;
    }
    const seen = new Set<unknown>();
    for (const [at, row] of (rows as unknown[]).entries()) {
      const path = `tables.${name}[${at}]`;
      check(rowSchemas[name], row, path);
      if (!isObject(row)) continue;
      const { id, seq } = row as { readonly id?: unknown; readonly seq?: unknown };
      if (seen.has(id)) add(`${path}.id`, 'an id that no other record of the table has', id);
      if (seen.has(seq)) add(`${path}.seq`, 'a number that no other record of the table has', seq);
      if (typeof seq === 'number' && typeof lastSeq === 'number' && seq > lastSeq) {
        add(`${path}.seq`, `at most meta.seq, which is ${lastSeq}`, seq);
      }
      seen.add(id).add(seq);
    }
  }
  if (problems.length > 0) return { problems };
  const all = Object.fromEntries(names.map((name) => [name, tables[name] ?? []]));
  return { meta: value['meta'], tables: all } as unknown as PlainAccountData;
}
