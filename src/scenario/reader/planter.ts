/** Makes the tree that zod reads from the parser's: finds what is wrong with keys, and resolves aliases. */
import { isAlias, isMap, isScalar, isSeq, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import { nearestWord } from '../../domain/nearest-word.js';
import type { RawMap, Schema } from '../schema/kit.js';
import { mostProblems, type Report } from '../schema/problems.js';
import { listed, meantWords, synonymsOf } from '../schema/words.js';
import { aboutOf, aloneOf, checkPresence, colonSlip, formOf, sourceOf } from './keys.js';
import { isPollution, joinPath, keyText } from './json-text.js';
import { Place, Reading } from './place.js';

/** Nesting of mappings and lists. */
const MAX_DEPTH = 50;
/** Values of a document, including those that its aliases repeat. */
const MAX_VALUES = 20_000;

/** What zod reads: mappings, lists, and scalars as the parser gives them. */
export type Tree = unknown;

/** An entry of a mapping: the key as written, its place, and its value. */
interface Entry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: ParsedNode | null;
}

/** Makes the tree that zod reads: finds what is wrong with keys, and gives misspelt ones the name that is meant. */
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

  plant(
    written: ParsedNode | null,
    path: string,
    schema: Schema<unknown> | undefined,
    fallback: readonly [number, number],
    above: readonly ParsedNode[] = [],
    key?: Place,
  ): Tree {
    const range = written?.range ? ([written.range[0], written.range[1]] as const) : fallback;
    const node = this.#target(written, above, (one) => new Place(this.#reading, '', one, range));
    const place = new Place(this.#reading, path, node, range, key);
    this.#reading.places.set(path, place);
    this.#values += 1;
    if (this.#values === MAX_VALUES + 1) {
      const message = 'The scenario has too many values, counting those that its aliases repeat.';
      const found = `more than ${MAX_VALUES} values`;
      place.report({ code: 'too_many_values', message, found, allowed: `at most ${MAX_VALUES} values` });
    }
    if (this.isExhausted || node === null) return null;
    if (above.length >= MAX_DEPTH) {
      const message = 'The scenario is nested too deeply here.';
      const [found, allowed] = [`more than ${MAX_DEPTH} levels`, `at most ${MAX_DEPTH} levels of lists and mappings`];
      this.#isTooDeep = true;
      new Place(this.#reading, '', node, range).report({ code: 'too_deep', message, found, allowed });
      return null;
    }
    place.about = schema && aboutOf(schema, node);
    place.tree = this.#within(node, place, [...above, node]);
    return place.tree;
  }

  #within(node: ParsedNode, place: Place, inside: readonly ParsedNode[]): Tree {
    if (isMap(node)) return this.#map(node, place, inside);
    if (!isSeq(node)) return isScalar(node) && node.value !== null ? node : null;
    const { path, range, about: told } = place;
    const item = told?.kind === 'list' ? told.item : undefined;
    return node.items.map((one, index) => this.plant(one, `${path}[${index}]`, item, range, inside));
  }

  #map(map: YAMLMap, place: Place, inside: readonly ParsedNode[]): Tree {
    const { about: told, path } = place;
    const tree: Record<string, Tree> = {};
    const entries = this.#entries(map, place);
    const plant = ({ key, keyPlace, value }: Entry, name: string, schema: Schema<unknown> | undefined) =>
      this.plant(value, joinPath(path, name), schema, keyPlace.range, inside, key === name ? keyPlace : undefined);
    const { properties } = told ?? {};
    if (told === undefined || properties === undefined) {
      const item = told?.kind === 'record' ? told.item : undefined;
      for (const entry of entries) tree[entry.key] = plant(entry, entry.key, told?.special?.[entry.key] ?? item);
      return tree;
    }
    const words = Object.keys(properties);
    const free = words.filter((word) => !entries.some(({ key }) => key === word));
    for (const entry of entries) {
      const { key, keyPlace, value } = entry;
      const source = sourceOf(this.#reading, value);
      const alone = aloneOf(told, map, key, source);
      if (alone !== undefined) {
        place.report(alone);
        return tree;
      }
      const old = formOf(told, key, source, value?.range[1] ?? keyPlace.range[1]);
      if (old !== undefined) {
        keyPlace.report(old.report);
        place.misspelt.add(old.now);
        plant(entry, key, undefined);
        continue;
      }
      const isKnown = words.includes(key);
      const accepts = (word: string) => this.#accepts(value, properties[word]?.schema);
      const meant = isKnown ? key : this.#reportKey(keyPlace, key, value, { words, free, accepts, place });
      const schema = meant === undefined ? undefined : properties[meant]?.schema;
      const read = plant(entry, meant ?? key, schema);
      if (meant !== undefined) tree[meant] = read;
    }
    checkPresence(place, told, (key) => key in tree || place.misspelt.has(key));
    told.object?.checkKeys?.(this.#raw(map, place));
    return tree;
  }

  /** Reports an unknown key. @returns the one that is meant, if its value can be read as that one's */
  #reportKey(
    keyPlace: Place,
    key: string,
    value: ParsedNode | null,
    {
      words,
      free,
      accepts,
      place,
    }: { words: readonly string[]; free: readonly string[]; accepts: (word: string) => boolean; place: Place },
  ): string | undefined {
    if (this.#reading.problems.length >= mostProblems) {
      this.#reading.unlisted += 1;
      return undefined;
    }
    const found = `"${key.slice(0, 80)}"`;
    const slip = colonSlip(key, words);
    if (slip !== undefined) {
      const { word, rest } = slip;
      const message = `The colon after "${word}", or the space after the colon, is missing.`;
      const [allowed, replacement] = [`${word}: VALUE`, `${word}: ${rest}`];
      keyPlace.report({ code: 'colon_missing', message, found, allowed, replacement });
      place.misspelt.add(word);
      return undefined;
    }
    const synonyms = synonymsOf(key, free);
    const meant = synonyms.length === 0 ? meantWords(key, free)[0] : synonyms.find(accepts);
    let why = '';
    if (key === '<<') why = ' YAML 1.2 has no merge keys.';
    // In braces, a comma ends a text, and what follows looks like a key without a value.
    else if (meant === undefined && value === null) why = ' In braces, put a text that contains a comma in quotes.';
    keyPlace.report({
      code: 'unknown_key',
      message: `Unknown key ${found}.${why}`,
      found,
      allowed: listed(key, words).join(', '),
      ...(meant !== undefined && { suggestion: meant }),
    });
    return meant;
  }

  /** Returns whether a schema accepts a value. */
  #accepts(value: ParsedNode | null, schema: Schema<unknown> | undefined): boolean {
    if (schema === undefined) return false;
    const { source } = this.#reading;
    const aside = new Reading(source);
    const tree = new Planter(aside).plant(value, '', schema, [0, 0]);
    return aside.problems.length === 0 && schema.safeParse(tree).success;
  }

  /** Returns the entries that can be read; reports keys that no mapping may have. */
  #entries(map: YAMLMap, place: Place): Entry[] {
    const seen = new Set<string>();
    return (map.items as Pair<ParsedNode, ParsedNode | null>[]).flatMap(({ key: node, value }) => {
      const key = keyText(node);
      const range = [node.range[0], node.range[1]] as const;
      const keyPlace = new Place(this.#reading, joinPath(place.path, key ?? '?'), node, range);
      if (key === undefined) {
        keyPlace.report({ code: 'key_not_text', message: 'A key must be a text.', allowed: 'a word such as "when"' });
      } else if (isPollution(key)) {
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

  #raw(map: YAMLMap, place: Place): RawMap {
    const pairs = map.items as Pair<ParsedNode, ParsedNode | null>[];
    const at = (key: string) => this.#resolved(pairs.find((pair) => keyText(pair.key) === key)?.value ?? null);
    const rawAt = (node: ParsedNode | null, path: string) =>
      isMap(node) ? [this.#raw(node, this.#reading.places.get(path) ?? place)] : [];
    const pathOf = (key: string) => joinPath(place.path, key);
    return {
      keys: pairs.flatMap((pair) => keyText(pair.key) ?? []),
      textOf: (key) => keyText(at(key)),
      mapAt: (key) => rawAt(at(key), pathOf(key))[0],
      listAt: (key) => {
        const list = at(key);
        const items = isSeq(list) ? list.items : [];
        return items.flatMap((item, index) => rawAt(this.#resolved(item), `${pathOf(key)}[${index}]`));
      },
      reportKey: (key, report) => this.#reading.places.get(pathOf(key))?.report({ ...report, onKey: true }),
    };
  }

  #resolved(node: ParsedNode | null): ParsedNode | null {
    return isAlias(node) ? (this.#anchors.get(node.source) ?? null) : node;
  }

  /** Returns the value that is meant by an alias: the latest anchor of its name before it. */
  #target(
    node: ParsedNode | null,
    above: readonly ParsedNode[],
    placeOf: (node: ParsedNode) => Place,
  ): ParsedNode | null {
    if (node === null) return null;
    if (!isAlias(node)) {
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
      return node;
    }
    const found = `*${node.source}`;
    const target = this.#anchors.get(node.source);
    const report = (one: Report) => {
      placeOf(node).report({ found, ...one });
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
