/** Reads a document with a schema: the value, or every problem with its place. */
import { isMap, isSeq } from 'yaml';
import type { z } from 'zod';
import { aboutOf, coreOf, entryOf, type Schema } from '../schema/about.js';
import type { FoundProblem, Report } from '../schema/problems.js';
import { listed, meantWords, synonymsOf } from '../schema/words.js';
import { lineStartOf } from './correct.js';
import { Reading, type Place } from './place.js';
import { plant } from './plant.js';
import { accepts, reportIssue, reportMissing } from './report.js';
import { parseYaml } from './yaml.js';

export interface ReadDocument<T> {
  /** Undefined if there are problems. */
  readonly value: T | undefined;
  readonly problems: readonly FoundProblem[];
  /** Number of problems beyond those that are listed. */
  readonly unlisted: number;
  /** The place of the whole; undefined if it was not read. */
  readonly root?: Place | undefined;
}

/** Reads YAML or JSON. Never throws because of the text. */
export function readDocument<T>(schema: Schema<T>, text: string, file: string): ReadDocument<T> {
  const parsed = parseYaml(text, file);
  if ('problems' in parsed) return { value: undefined, unlisted: 0, ...parsed };
  const reading = new Reading(parsed.source);
  const root = plant(reading);
  const value = root && readTree(schema, root);
  const { problems, unlisted } = reading;
  if (root !== undefined && value === undefined && problems.length === 0) {
    throw new Error('A document without problems was not read.');
  }
  return { value: problems.length === 0 ? value : undefined, problems, unlisted, root };
}

/**
 * An issue of zod, found in the tree: what to report of it, or what to change in the tree, such as the name of a key. After
 * a change, all is read again.
 */
type Finding = { readonly change: () => void } | { readonly tell: () => void };

function readTree<T>(schema: Schema<T>, root: Place): T | undefined {
  for (;;) {
    const { data, error } = schema.safeParse(root.value);
    if (error === undefined) return data;
    const findings = error.issues.flatMap((issue) => findingsOf(schema, root, issue));
    const changes = findings.filter((one) => 'change' in one);
    for (const { change } of changes) change();
    if (changes.length > 0) continue;
    for (const one of findings) if ('tell' in one) one.tell();
    return undefined;
  }
}

type Issue = z.core.$ZodIssue;

function findingsOf(schema: Schema | undefined, place: Place, issue: Issue): Finding[] {
  let [at, here] = [schema, place];
  for (const key of issue.path as (string | number)[]) {
    const next = here.entries.get(key);
    const meant = meantSchema(at, here);
    const property = entryOf(meant, key);
    if (here.isBroken || (next === undefined && here.claimed.has(String(key)))) return [];
    if (next === undefined) return [{ tell: () => reportMissing(here, String(key), property) }];
    const change = oldEntry(meant, here, next);
    if (change !== undefined) return [{ change }];
    [at, here] = [property, next];
  }
  if (here.isBroken) return [];
  if (issue.code === 'unrecognized_keys') {
    const meant = meantSchema(at, here);
    return issue.keys.flatMap((key) => {
      const entry = here.entries.get(key);
      return entry === undefined || meant === undefined ? [] : [{ change: unknownKey(meant, here, entry) }];
    });
  }
  const { options = [] } = at === undefined ? {} : coreOf(at);
  const index = issue.code === 'invalid_union' ? meantOption(options, here) : -1;
  if (issue.code === 'invalid_union' && index >= 0) {
    return (issue.errors[index] ?? []).flatMap((one) => findingsOf(options[index], here, one));
  }
  return [{ tell: () => reportIssue(at, here, issue) }];
}

/** Returns the index of the schema that is meant: the one of its kind that finds most of its required keys. */
function meantOption(options: readonly Schema[], { node, entries, text }: Place): number {
  const kind = isMap(node) ? 'object' : isSeq(node) ? 'array' : text === undefined ? 'nothing' : 'string';
  const found = options.map(coreOf).map(({ type, shape = {} }) => {
    if (type !== kind) return -1;
    return Object.keys(shape).filter((key) => entries.has(key) && shape[key]?.def.type !== 'optional').length;
  });
  return Math.max(...found) < 0 ? -1 : found.indexOf(Math.max(...found));
}

/** Returns the schema that is meant for a mapping or a list. */
function meantSchema(schema: Schema | undefined, place: Place): Schema | undefined {
  const { options = [] } = schema === undefined ? {} : coreOf(schema);
  return (place.text === undefined ? options[meantOption(options, place)] : undefined) ?? schema;
}

/** Returns what to do with an entry that is no longer written so; undefined if it means what it says. */
function oldEntry(schema: Schema | undefined, map: Place, entry: Place): (() => void) | undefined {
  const { key, range } = entry;
  const { old = {} } = schema === undefined ? {} : aboutOf(schema);
  const form = Object.hasOwn(old, entry.name) ? old[entry.name] : undefined;
  if (form === undefined || key === undefined) return undefined;
  const found = `"${entry.name}"`;
  if (typeof form === 'string') {
    const message = `${found} is written "${form}".`;
    return () => {
      key.report({ code: 'other_form', message, found, allowed: form, suggestion: form });
      map.rename(entry, form);
    };
  }
  const { text } = map.reading.source;
  const isFlow = isMap(map.node) && map.node.flow === true;
  const source = entry.node === null ? '' : text.slice(range[0], range[1]).trim();
  const isOneLine = !/[\r\n]/.test(source);
  const instead = form(source, map.entries.size === 1 && isFlow && isOneLine);
  if (instead === undefined || (Array.isArray(instead) && !isOneLine)) return undefined;
  const replaced = (by: string): Report => {
    const message = `Write this as ${by.replace(/\s+/g, ' ')}.`;
    return { code: 'other_form', message, found, allowed: by, suggestion: by };
  };
  return () => {
    map.rename(entry);
    map.claimed.add(String(entry.name));
    if ('whole' in instead) {
      map.report({ ...replaced(instead.whole), entry: [map.range[1], instead.whole] });
    } else if ('message' in instead) {
      key.report({ code: 'other_form', found, ...instead });
    } else {
      const entries: readonly string[] = instead;
      const start = key.range[0];
      const by = entries.join(isFlow ? ', ' : `\n${' '.repeat(start - lineStartOf(text, start))}`);
      key.report({ ...replaced(by), entry: [range[1], by] });
      for (const one of entries) map.claimed.add(one.replace(/:.*/s, ''));
    }
  };
}

/** Returns what to do with a key that its mapping does not have. */
function unknownKey(schema: Schema, map: Place, entry: Place): () => void {
  const change = oldEntry(schema, map, entry);
  if (change !== undefined) return change;
  return () => {
    const { shape = {} } = coreOf(schema);
    const words = Object.keys(shape);
    const written = String(entry.name);
    const found = `"${written.slice(0, 80)}"`;
    const { key = entry } = entry;
    // Only a colon is missing: `then { lifecycle`, `when message.send`.
    const [, word = '', rest = ''] = /^(\w+)(?::|\s+)(.*)$/.exec(written) ?? [];
    if (words.includes(word)) {
      const message = `The colon after "${word}", or the space after the colon, is missing.`;
      const [allowed, replacement] = [`${word}: VALUE`, `${word}: ${rest}`];
      key.report({ code: 'colon_missing', message, found, allowed, replacement });
      map.claimed.add(word);
      map.rename(entry);
      return;
    }
    const free = words.filter((one) => !map.entries.has(one));
    const synonyms = synonymsOf(written, free);
    const meant =
      synonyms.length === 0 ? meantWords(written, free)[0] : synonyms.find((one) => accepts(shape[one], entry));
    // In braces, a comma ends a text, and what follows looks like a key without a value.
    const isAlone = meant === undefined && entry.node === null;
    const why = isAlone ? ' In braces, put a text that contains a comma in quotes.' : '';
    const message = `Unknown key ${found}.${written === '<<' ? ' YAML 1.2 has no merge keys.' : why}`;
    const suggestion = meant !== undefined && { suggestion: meant };
    key.report({ code: 'unknown_key', message, found, allowed: listed(written, words).join(', '), ...suggestion });
    map.rename(entry, meant);
  };
}
