/** Reads a document with a schema: the value, or every problem with its place. */
import type { z } from 'zod';
import { coreOf, entryOf, type Schema } from '../schema/about.js';
import type { FoundProblem } from '../schema/problems.js';
import { Reading, type Place } from './place.js';
import { reportIssue, reportMissing } from './report.js';
import { meantOption, meantSchema, treeOf } from './tree.js';
import { parseYaml } from './yaml.js';

export interface ReadDocument<T> {
  /** Undefined if there are problems. */
  readonly value: T | undefined;
  readonly problems: readonly FoundProblem[];
  /** The place of the whole; undefined if it was not read. */
  readonly root?: Place | undefined;
}

/** Reads YAML or JSON. Never throws because of the text. */
export function readDocument<T>(schema: Schema<T>, text: string, file: string): ReadDocument<T> {
  const parsed = parseYaml(text, file);
  if ('problems' in parsed) return { value: undefined, ...parsed };
  const reading = new Reading(parsed.source);
  const root = treeOf(reading, schema);
  const { data, error } = root === undefined ? {} : schema.safeParse(root.value);
  for (const issue of error?.issues ?? []) if (root) find(schema, root, issue);
  const { problems } = reading;
  if (error !== undefined && problems.length === 0) throw new Error('A document without problems was not read.');
  return { value: problems.length === 0 ? data : undefined, problems, root };
}

/** Finds the place of an issue of zod, and reports it there. */
function find(schema: Schema | undefined, place: Place, issue: z.core.$ZodIssue): void {
  let [at, here] = [schema, place];
  for (const key of issue.path as (string | number)[]) {
    if (here.isBroken) return;
    const next = here.entries.get(key);
    const property = entryOf(meantSchema(at, here), key);
    if (next === undefined) {
      if (!here.claimed.has(String(key))) reportMissing(here, String(key), property);
      return;
    }
    [at, here] = [property, next];
  }
  if (here.isBroken) return;
  const { options = [] } = at === undefined ? {} : coreOf(at);
  const index = issue.code === 'invalid_union' ? meantOption(options, here) : -1;
  if (issue.code !== 'invalid_union' || index < 0) reportIssue(at, here, issue);
  else for (const one of issue.errors[index] ?? []) find(options[index], here, one);
}
