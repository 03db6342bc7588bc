/** Makes the tree that zod reads from the parser's: gives keys the name that is meant, and resolves aliases. */
import type { Pair, ParsedNode, YAMLMap } from 'yaml';
import { isAlias, isMap, isScalar, isSeq, type Scalar } from '../../domain/yaml.js';
import { nearestWord } from '../../domain/text.js';
import { aboutIfKnown, coreOf, defOf, entryOf, propertiesOf, type About, type Schema } from '../schema/kit.js';
import type { Report } from '../schema/problems.js';
import { formOf, keyReport, meantSchema } from './keys.js';
import { Place, Reading } from './place.js';
import { joinPath, keyText, scalarText, type YamlSource } from './yaml.js';

/** Nesting of mappings and lists. */
const MAX_DEPTH = 50;
/** Values of a document, including those that its aliases repeat. */
const MAX_VALUES = 20_000;

type Range = readonly [number, number];

/** An entry of a mapping: the key as written, its place, and its value. */
interface Entry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: ParsedNode | null;
}

export class Planter {
  readonly #reading: Reading;
  readonly #anchors = new Map<string, ParsedNode>();
  #values = 0;
  #isTooDeep = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  get isExhausted(): boolean {
    return this.#isTooDeep || this.#values > MAX_VALUES;
  }

  /** @param fallback where the author wrote a value without characters */
  plant(
    written: ParsedNode | null,
    path: string,
    schema: Schema | undefined,
    fallback: Range,
    above: readonly ParsedNode[] = [],
    key?: Place,
  ): Place {
    const range: Range = written?.range ? [written.range[0], written.range[1]] : fallback;
    const node = this.#target(written, above, range);
    const place = new Place(this.#reading, path, node, range, key);
    place.tree = null;
    this.#reading.places.set(path, place);
    this.#values += 1;
    if (this.#values === MAX_VALUES + 1) {
      const message = 'The scenario has too many values, counting those that its aliases repeat.';
      const found = `more than ${MAX_VALUES} values`;
      place.report({ code: 'too_many_values', message, found, allowed: `at most ${MAX_VALUES} values` });
    }
    if (node === null) place.schema = schema && coreOf(schema);
    if (this.isExhausted || node === null) return place;
    if (above.length >= MAX_DEPTH) {
      const message = 'The scenario is nested too deeply here.';
      const [found, allowed] = [`more than ${MAX_DEPTH} levels`, `at most ${MAX_DEPTH} levels of lists and mappings`];
      this.#isTooDeep = true;
      new Place(this.#reading, '', node, range).report({ code: 'too_deep', message, found, allowed });
      return place;
    }
    const { schema: meant, option } = schema === undefined ? {} : meantSchema(schema, node);
    Object.assign(place, { schema: meant, option });
    const inside = [...above, node];
    if (isMap(node)) {
      place.tree = {};
      this.#map(node, place, place.tree as Record<string, unknown>, inside);
    } else if (isSeq(node)) {
      const joins = meant && aboutIfKnown(meant)?.joins;
      place.tree = node.items.flatMap((one, index) => {
        const [before, next] = [node.items[index - 1], node.items[index + 1]];
        if (before !== undefined && isJoined(joins, before, one)) return [];
        const planted = this.plant(one, `${path}[${index}]`, entryOf(meant, ''), range, inside);
        if (next !== undefined && isJoined(joins, one, next)) planted.report(joined(planted, one, next));
        return [planted.tree];
      });
    } else if (isScalar(node) && node.value !== null) {
      place.tree = leafOf(node, meant);
    }
    return place;
  }

  #map(map: YAMLMap, place: Place, tree: Record<string, unknown>, inside: readonly ParsedNode[]): void {
    const { schema: meant, path } = place;
    const { source } = this.#reading;
    const entries = this.#entries(map, place);
    const plant = ({ key, keyPlace, value }: Entry, name: string, schema: Schema | undefined) => {
      const at = key === name ? keyPlace : undefined;
      return this.plant(value, joinPath(path, name), schema, keyPlace.range, inside, at).tree;
    };
    const properties = propertiesOf(meant);
    const { object = {} } = (meant && aboutIfKnown(meant)) ?? {};
    if (properties === undefined) {
      for (const entry of entries) tree[entry.key] = plant(entry, entry.key, entryOf(meant, entry.key));
      return;
    }
    const words = Object.keys(properties);
    const free = words.filter((word) => !entries.some(({ key }) => key === word));
    for (const entry of entries) {
      const { key, keyPlace, value } = entry;
      const [start, keyEnd] = keyPlace.range;
      const form = formOf(object, map, { key, value, start, end: value?.range[1] ?? keyEnd }, source.text);
      if (form !== undefined) (form.isWhole === true ? place : keyPlace).report(form.report);
      if (form?.isWhole === true) {
        place.misspelt.add(key);
        return;
      }
      if (form !== undefined && form.isName !== true) {
        for (const now of form.now) place.misspelt.add(now);
        plant(entry, key, undefined);
        continue;
      }
      let name: string | undefined = form?.now[0] ?? key;
      if (form === undefined && !words.includes(key)) {
        const accepts = (word: string) => isAccepted(source, value, properties[word]);
        const { report, meant: word, misspelt } = keyReport(key, { words, free, accepts, isAlone: value === null });
        keyPlace.report(report);
        if (misspelt !== undefined) place.misspelt.add(misspelt);
        name = word;
      }
      const read = plant(entry, name ?? key, name === undefined ? undefined : properties[name]);
      if (name !== undefined) tree[name] = read;
    }
  }

  /** Returns the entries that can be read; reports keys that no mapping may have. */
  #entries(map: YAMLMap, place: Place): Entry[] {
    const seen = new Set<string>();
    return (map.items as Pair<ParsedNode, ParsedNode | null>[]).flatMap(({ key: node, value }) => {
      const key = keyText(node);
      const range: Range = [node.range[0], node.range[1]];
      const keyPlace = new Place(this.#reading, joinPath(place.path, key ?? '?'), node, range);
      if (key === undefined) {
        keyPlace.report({ code: 'key_not_text', message: 'A key must be a text.', allowed: 'a word such as "when"' });
      } else if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
        const message = `The key "${key}" is not allowed, because it could change the program itself.`;
        keyPlace.report({ code: 'forbidden_key', message, allowed: 'any other key' });
      } else if (seen.has(key)) {
        keyPlace.report({ code: 'duplicate_key', message: `Duplicate key "${key}".`, allowed: 'each key once' });
      } else {
        seen.add(key);
        return [{ key, keyPlace, value }];
      }
      return [];
    });
  }

  /** Returns the value that is meant by an alias: the latest anchor of its name before it. */
  #target(node: ParsedNode | null, above: readonly ParsedNode[], range: Range): ParsedNode | null {
    if (node === null) return null;
    if (!isAlias(node)) {
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
      return node;
    }
    const found = `*${node.source}`;
    const target = this.#anchors.get(node.source);
    const report = (one: Report) => {
      new Place(this.#reading, '', node, range).report({ found, ...one });
    };
    if (target === undefined) {
      const message = `There is no anchor &${node.source} for this alias. Put a text that begins with * in quotes.`;
      const nearest = nearestWord(node.source, [...this.#anchors.keys()]);
      const meant = nearest === undefined ? { example: JSON.stringify(found) } : { suggestion: `*${nearest}` };
      report({ code: 'unknown_alias', message, allowed: 'a text in quotes, or an alias of an anchor above', ...meant });
      return node;
    }
    if (above.includes(target)) {
      const message = `The alias ${found} is inside the value that it repeats, which would never end.`;
      report({ code: 'alias_cycle', message, allowed: 'an alias of a finished value' });
      return node;
    }
    return target;
  }
}

/** Returns whether a schema accepts a value, apart from old words in it. */
export function isAccepted(source: YamlSource, value: ParsedNode | null, schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  const aside = new Reading(source);
  const { tree } = new Planter(aside).plant(value, '', schema, [0, 0]);
  return aside.problems.every(({ code }) => code === 'other_form') && schema.safeParse(tree).success;
}

/** Numbers as in JSON; `+12025550123` and `012345` are not JSON numbers, so they stay texts. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the value of a scalar: for a text, the characters that the author wrote. */
function leafOf(scalar: Scalar, schema: Schema | undefined): unknown {
  const written = scalarText(scalar);
  const { type = '' } = schema === undefined ? {} : defOf(schema);
  if (type === 'string' || type === 'enum') return written;
  if (type === 'union') return /^\d+$/.test(written) ? Number(written) : written;
  if (type !== 'any' || typeof scalar.value === 'boolean') return scalar.value;
  if (scalar.type !== undefined && scalar.type !== 'PLAIN') return written;
  const number = JSON_NUMBER.test(written) ? Number(written) : NaN;
  return Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number)) ? number : written;
}

/** Returns whether an entry of a list is only a key that belongs into the entry before it. */
function isJoined(joins: About['joins'], before: ParsedNode, node: ParsedNode): boolean {
  const [last, only] = [before, node].map((one) =>
    isMap(one) && one.items.length === 1 ? keyText(one.items[0]?.key) : undefined,
  );
  return joins !== undefined && last === joins[0] && only === joins[1];
}

function joined({ reading }: Place, one: ParsedNode, next: ParsedNode): Report {
  const { text } = reading.source;
  const entry = `{ ${text.slice(one.range[0], one.range[1])}, ${text.slice(next.range[0], next.range[1])} }`;
  const message = 'In a list, each step has its own braces, and the error of a step stands in them.';
  return { code: 'misplaced_key', message, allowed: entry, suggestion: entry, entry: [next.range[1], entry] };
}
