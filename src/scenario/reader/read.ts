/** Reads a document with a schema: the value, or every problem with its place. */
import type { Schema } from '../schema/kit.js';
import type { FoundProblem } from '../schema/problems.js';
import { Reading, type Place } from './place.js';
import { Planter } from './planter.js';
import { reportIssues } from './report.js';
import { parseYaml } from './yaml.js';

export interface ReadDocument<T> {
  /** Undefined if there are problems. */
  readonly value: T | undefined;
  readonly problems: readonly FoundProblem[];
  /** Number of problems beyond those that are listed. */
  readonly unlisted: number;
  /** The place of the whole; undefined if the syntax is invalid. */
  readonly root?: Place;
}

/** Reads YAML or JSON. Never throws because of the text. */
export function readDocument<T>(schema: Schema<T>, text: string, file: string): ReadDocument<T> {
  const parsed = parseYaml(text, file);
  if ('problems' in parsed) return { value: undefined, unlisted: 0, ...parsed };
  const reading = new Reading(parsed.source);
  const planter = new Planter(reading);
  const { contents, range } = parsed.source.document;
  const root = planter.plant(contents, '', schema, [range[0], range[0]]);
  const { problems } = reading;
  if (planter.isExhausted) return { value: undefined, problems, unlisted: reading.unlisted, root };
  const read = schema.safeParse(root.tree);
  if (!read.success) reportIssues(read.error.issues, reading);
  if (!read.success && problems.length === 0) throw new Error('A document without problems was not read.');
  return { value: problems.length === 0 ? read.data : undefined, problems, unlisted: reading.unlisted, root };
}
