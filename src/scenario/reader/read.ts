/** Reads a document with a schema: the value, or every problem with its place. */
import type { z } from 'zod';
import { isAlias, isScalar } from '../../domain/yaml.js';
import { about, aboutIfKnown, coreOf, defOf, propertiesOf, wordsOf, type Schema } from '../schema/kit.js';
import type { FoundProblem, Report } from '../schema/problems.js';
import { Reading, type Place } from './place.js';
import { isAccepted, Planter } from './planter.js';
import { joinPath, parseYaml } from './yaml.js';

type Issue = z.core.$ZodIssue;

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
  if (!read.success) for (const issue of read.error.issues) reportIssue(issue, reading);
  if (!read.success && problems.length === 0) throw new Error('A document without problems was not read.');
  return { value: problems.length === 0 ? read.data : undefined, problems, unlisted: reading.unlisted, root };
}

/** Turns an issue of zod into a problem: where, what is wrong, what is allowed and what was probably meant. */
function reportIssue(issue: Issue, reading: Reading): void {
  const holder = reading.places.get(pathText(issue.path.slice(0, -1)));
  // The key was reported, and its value was not read.
  if (holder?.misspelt.has(String(issue.path.at(-1)))) return;
  const place = reading.places.get(pathText(issue.path));
  if (place === undefined) {
    reportMissing(String(issue.path.at(-1)), holder);
    return;
  }
  // What is wrong here was reported already, and hides everything within.
  if (isAlias(place.node)) return;
  const within = issue.code === 'invalid_union' && place.option !== undefined ? issue.errors[place.option] : undefined;
  if (within !== undefined) {
    for (const one of within) reportIssue({ ...one, path: [...issue.path, ...one.path] }, reading);
    return;
  }
  // To zod, a text has a length, too.
  if ((issue.code === 'too_small' || issue.code === 'too_big') && place.isText) return;
  const given = issue.code === 'custom' ? (issue.params?.['report'] as Report | undefined) : undefined;
  // A key that is present under a wrong name may be the one.
  if ((given?.code === 'nothing_stated' || given?.code === 'not_exactly_one') && place.misspelt.size > 0) return;
  place.report(given ?? reportOf(issue, place));
}

function reportMissing(key: string, holder: Place | undefined): void {
  const property = propertiesOf(holder?.schema)?.[key];
  if (holder === undefined || property === undefined) return;
  const { allowed, example } = about(property);
  const message = `The key "${key}" is missing. ${property.description ?? ''}`;
  const entry = `${key}: ${example}`;
  const added = defOf(coreOf(property)).type === 'literal' ? { insert: entry } : { example: entry };
  holder.report({ code: 'missing_key', message, allowed: `${key}: ${allowed}`, ...added });
}

function reportOf(issue: Issue, place: Place): Report {
  const { schema } = place;
  const told = schema && aboutIfKnown(schema);
  if (schema === undefined || told === undefined) return { code: 'invalid', message: issue.message };
  const { type } = defOf(schema);
  const keys = propertiesOf(schema);
  const { example } = told;
  const allowed = keys === undefined ? told.allowed : `a mapping with ${Object.keys(keys).join(', ')}`;
  const text = place.scalarText();
  if (type === 'enum' && text !== undefined) {
    return {
      code: 'unknown_word',
      message: `Unknown value ${JSON.stringify(text.slice(0, 80))}.`,
      words: wordsOf(schema),
    };
  }
  if (type === 'number' && isScalar(place.node) && typeof place.node.value === 'number') {
    return { code: 'out_of_range', message: `This is not ${allowed}.`, allowed, example };
  }
  if (issue.code === 'too_small' || issue.code === 'too_big') return wrongLength(place, told.bounds, example);
  const missing = place.describe() === 'nothing';
  const accepts = (one: Schema) => isAccepted(place.reading.source, place.node, one);
  const replacement = missing ? undefined : told.meant?.({ text, source: place.written, accepts });
  return {
    code: missing ? 'missing_value' : 'wrong_type',
    message: missing ? 'The value is missing.' : `This must be ${type === 'enum' ? 'one of ' : ''}${allowed}.`,
    allowed,
    example,
    ...(replacement !== undefined && { replacement }),
  };
}

function wrongLength({ node }: Place, [min, max]: readonly [number, number] = [0, 0], example: string): Report {
  const count = node !== null && 'items' in node ? node.items.length : 0;
  const message = `The list has ${count} entries; ${min} to ${max} are allowed.`;
  return { code: 'wrong_length', message, allowed: `${min} to ${max} entries`, example };
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : joinPath(text, String(part))),
    '',
  );
}
