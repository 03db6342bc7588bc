/** Reads a document with a schema. Problems have the probable meaning. */
import { isMap, isScalar, isSeq } from 'yaml';
import type { z } from 'zod';
import { aboutOf, allowedBy, coreOf, entryOf, exampleOf, type Schema } from '../language/about.js';
import type { FoundProblem, Report } from '../language/problems.js';
import { meantWords } from '../language/words.js';
import { Reading, type Place } from './place.js';
import { treeOf } from './tree.js';
import { accepts, meantOption, meantSchema } from './meant.js';
import { parseYaml } from './yaml.js';

export interface ReadDocument<T> {
  readonly value: T | undefined;
  readonly problems: readonly FoundProblem[];
  readonly root?: Place | undefined;
}

/** Never throws because of the text. */
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

/** Names get quotes: a terminal shows this text. */
const withoutBackticks = (markdown = ''): string => markdown.replace(/`([\w.]+)`/g, '"$1"').replaceAll('`', '');

function reportMissing(holder: Place, key: string, property: Schema | undefined): void {
  if (property === undefined) return;
  const message = `The key "${key}" is missing. ${withoutBackticks(property.description)}`;
  const entry = `${key}: ${exampleOf(property)}`;
  const added = coreOf(property).type === 'literal' ? { insert: entry } : { example: entry };
  holder.report({ code: 'missing_key', message, allowed: `${key}: ${allowedBy(property)}`, ...added });
}

function reportIssue(schema: Schema | undefined, place: Place, issue: z.core.$ZodIssue): void {
  const given = issue.code === 'custom' ? (issue.params?.['report'] as Report | undefined) : undefined;
  if (schema === undefined || (given !== undefined && given.code !== 'not_exactly_one')) {
    // A key that is present in another form may be the one.
    if (given?.code === 'nothing_stated' && place.claimed.size > 0) return;
    place.report(given ?? { code: 'invalid', message: issue.message });
    return;
  }
  if (given !== undefined) {
    if (place.claimed.size === 0 && !tellJoined(schema, place)) place.report(given);
    return;
  }
  const { type, shape, catchall, entries = {} } = coreOf(schema);
  const { text, node } = place;
  const isOfLength = issue.code === 'too_small' || issue.code === 'too_big';
  // For zod, a text has a length as well.
  if (isOfLength && type === 'array' && !isSeq(node)) return;
  if (type === 'enum' && text !== undefined) {
    const message = `Unknown value ${JSON.stringify(text.slice(0, 80))}.`;
    place.report({ code: 'unknown_word', message, words: Object.keys(entries) });
    return;
  }
  const keys = Object.keys(shape ?? {});
  const allowed =
    keys.length === 0 || catchall?.def.type !== 'never' ? allowedBy(schema) : `a mapping with ${keys.join(', ')}`;
  const known = { allowed, example: exampleOf(schema) };
  if (type === 'number' && isScalar(node) && typeof node.value === 'number') {
    place.report({ code: 'out_of_range', message: `This is not ${allowed}.`, ...known });
  } else if (isOfLength) {
    const bounds = aboutOf(schema).bounds?.join(' to ') ?? '';
    const message = `The list has ${place.entries.size} entries; ${bounds} are allowed.`;
    place.report({ code: 'wrong_length', message, ...known, allowed: `${bounds} entries` });
  } else if (text === undefined && !isMap(node) && !isSeq(node)) {
    // `null` is an absent field.
    const isAbsent = aboutOf(schema).name?.endsWith('Matcher') === true && place.written === 'null';
    const replacement = isAbsent && { replacement: '{ not: "*" }' };
    place.report({ code: 'missing_value', message: 'The value is missing.', ...known, ...replacement });
  } else {
    const replacement = meantValue(schema, place);
    if (type === 'array' && isMap(node) && replacement === undefined && reportDash(schema, place)) return;
    const comment = type === 'number' && /\/\//.test(text ?? '') ? ' In YAML, a comment begins with #.' : '';
    const message = `This must be ${type === 'enum' ? 'one of ' : ''}${allowed}.${comment}`;
    place.report({ code: 'wrong_type', message, ...known, ...(replacement !== undefined && { replacement }) });
  }
}

function reportDash(schema: Schema, place: Place): boolean {
  const { range, reading } = place;
  const { element } = coreOf(schema);
  const indent = reading.source.place(range[0]).column - 1;
  if (element === undefined || !accepts(element, place)) return false;
  const first = [...place.entries.values()][0]?.key;
  const message = 'This is a list: each of its entries begins with a dash.';
  const allowed = `- ${first?.text ?? 'at'}: …`;
  // The dash takes the place of spaces, so that the other lines stay below its key.
  const isRoom = first !== undefined && indent >= 2 && /^ {2}$/.test(reading.source.text.slice(range[0] - 2, range[0]));
  (first ?? place).report({
    code: 'dash_missing',
    message,
    allowed,
    ...(isRoom && { dash: true }),
  });
  return true;
}

/** `[failed: 3s, error: undeliverable]`: reports that the braces around two entries of a list are missing. */
function tellJoined(schema: Schema, { parent, name, value, entries, written = '', range }: Place): boolean {
  const before = typeof name === 'number' ? parent?.entries.get(name - 1) : undefined;
  if (entries.size !== 1 || before?.entries.size !== 1) return false;
  if (!schema.safeParse({ ...(before.value as object), ...(value as object) }).success) return false;
  const entry = `{ ${[before.written ?? '', written].map((one) => one.replace(/^\{\s*|\s*\}$/g, '')).join(', ')} }`;
  const message = 'In a list, each step has its own braces, and the error of a step stands in them.';
  before.report({ code: 'misplaced_key', message, allowed: entry, replacement: entry, to: range[1] });
  return true;
}

function meantValue(schema: Schema, place: Place): string | undefined {
  const { type, element, shape = {}, values = [] } = coreOf(schema);
  const { text = '', written } = place;
  if (type === 'number') {
    const [, number = '', comment] = /^\s*(\d+(?:\.\d+)?)\s*(?:[;,]\s*)?(?:\/\/\s*(.*))?$/.exec(text) ?? [];
    if (number === '' || !schema.safeParse(Number(number)).success) return undefined;
    return comment === undefined ? String(Number(number)) : `${Number(number)} # ${comment}`;
  }
  // YAML 1.2 has only true and false; authors also write yes, on or open.
  const isTrue = /^(?:true|yes|on|y|open|opened|1)$/i.test(text);
  if (type === 'boolean') return isTrue ? 'true' : /^(?:false|no|off|n|closed?|0)$/i.test(text) ? 'false' : undefined;
  if (type === 'literal') {
    const only = String(values[0]);
    return (only === 'true' ? isTrue : text.replace(/^v|\.0$/gi, '') === only) ? only : undefined;
  }
  if (written === undefined) return undefined;
  if (element !== undefined) return accepts(element, place) ? `[${written}]` : undefined;
  const { short = [] } = aboutOf(schema);
  const key = text === '' ? undefined : short.find((one) => accepts(shape[one], place));
  if (key !== undefined) return `{ ${key}: ${written} }`;
  return short.flatMap((one) => {
    const { entries = {} } = coreOf(shape[one] as Schema);
    const [meant] = meantWords(text, Object.keys(entries));
    return meant === undefined ? [] : [`{ ${one}: ${meant} }`];
  })[0];
}
