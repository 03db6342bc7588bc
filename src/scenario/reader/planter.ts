/** Makes the tree that zod reads from the parser's: gives keys the name that is meant, and resolves aliases. */
import type { Pair, ParsedNode, YAMLMap } from 'yaml';
import { isAlias, isMap, isScalar, isSeq } from '../../domain/yaml.js';
import { nearestWord } from '../../domain/text.js';
import type { About, Schema } from '../schema/kit.js';
import type { RawMap, Report } from '../schema/problems.js';
import { aboutOf, checkPresence, formOf, keyReport } from './keys.js';
import { Place, Reading } from './place.js';
import { joinPath, keyText } from './yaml.js';

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
    schema: Schema<unknown> | undefined,
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
    if (this.isExhausted || node === null) return place;
    if (above.length >= MAX_DEPTH) {
      const message = 'The scenario is nested too deeply here.';
      const [found, allowed] = [`more than ${MAX_DEPTH} levels`, `at most ${MAX_DEPTH} levels of lists and mappings`];
      this.#isTooDeep = true;
      new Place(this.#reading, '', node, range).report({ code: 'too_deep', message, found, allowed });
      return place;
    }
    place.about = schema && aboutOf(schema, node);
    const inside = [...above, node];
    if (isMap(node)) {
      place.tree = {};
      this.#map(node, place, place.tree as Record<string, unknown>, inside);
    } else if (isSeq(node)) {
      const item = place.about?.kind === 'list' ? place.about.item : undefined;
      place.tree = node.items.flatMap((one, index) => {
        const [before, next] = [node.items[index - 1], node.items[index + 1]];
        if (before !== undefined && isJoined(place.about, before, one)) return [];
        const planted = this.plant(one, `${path}[${index}]`, item, range, inside);
        if (next !== undefined && isJoined(place.about, one, next)) planted.report(joined(planted, one, next));
        return [planted.tree];
      });
    } else if (isScalar(node) && node.value !== null) {
      place.tree = node;
    }
    return place;
  }

  #map(map: YAMLMap, place: Place, tree: Record<string, unknown>, inside: readonly ParsedNode[]): void {
    const { about: told, path } = place;
    const entries = this.#entries(map, place);
    const plant = ({ key, keyPlace, value }: Entry, name: string, schema: Schema<unknown> | undefined) => {
      const at = key === name ? keyPlace : undefined;
      return this.plant(value, joinPath(path, name), schema, keyPlace.range, inside, at).tree;
    };
    const { properties } = told ?? {};
    if (told === undefined || properties === undefined) {
      const item = told?.kind === 'record' ? told.item : undefined;
      for (const entry of entries) tree[entry.key] = plant(entry, entry.key, told?.special?.[entry.key] ?? item);
      return;
    }
    const words = Object.keys(properties);
    let hasOld = false;
    const free = words.filter((word) => !entries.some(({ key }) => key === word));
    for (const entry of entries) {
      const { key, keyPlace, value } = entry;
      const [start, keyEnd] = keyPlace.range;
      const form = formOf(told, map, { key, value, start, end: value?.range[1] ?? keyEnd }, place);
      if (form !== undefined) (form.isWhole === true ? place : keyPlace).report(form.report);
      if (form?.isWhole === true) return;
      if (form !== undefined && form.isName !== true) {
        hasOld = true;
        for (const now of form.now) place.misspelt.add(now);
        plant(entry, key, undefined);
        continue;
      }
      let name: string | undefined = form?.now[0] ?? key;
      if (form === undefined && !words.includes(key)) {
        const accepts = (word: string) => this.#accepts(value, properties[word]?.schema);
        const { report, meant, misspelt } = keyReport(key, { words, free, accepts, isAlone: value === null });
        keyPlace.report(report);
        if (misspelt !== undefined) place.misspelt.add(misspelt);
        name = meant;
      }
      const read = plant(entry, name ?? key, name === undefined ? undefined : properties[name]?.schema);
      if (name !== undefined) tree[name] = read;
    }
    if (!hasOld) checkPresence(place, told, (key) => key in tree || place.misspelt.has(key));
    told.object?.checkKeys?.(this.#raw(place));
  }

  /** Returns whether a schema accepts a value. */
  #accepts(value: ParsedNode | null, schema: Schema<unknown> | undefined): boolean {
    if (schema === undefined) return false;
    const aside = new Reading(this.#reading.source);
    const { tree } = new Planter(aside).plant(value, '', schema, [0, 0]);
    return aside.problems.every(({ code }) => code === 'other_form') && schema.safeParse(tree).success;
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

  #raw(place: Place): RawMap {
    const rawAt = (at: Place | undefined) => (at !== undefined && isMap(at.node) ? [this.#raw(at)] : []);
    const keys = isMap(place.node) ? place.node.items.flatMap((pair) => keyText(pair.key) ?? []) : [];
    return {
      keys,
      textOf: (key) => place.child(key)?.scalarText(),
      mapAt: (key) => rawAt(place.child(key))[0],
      listAt: (key) => place.items(key).flatMap(rawAt),
      reportKey: (key, report) => place.child(key)?.report({ ...report, onKey: true }),
      reportValue: (key, report) => place.child(key)?.report(report),
    };
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

/** Returns whether an entry of a list is only a key that belongs into the entry before it. */
function isJoined(told: About | undefined, before: ParsedNode, node: ParsedNode): boolean {
  const [last, only] = [before, node].map((one) =>
    isMap(one) && one.items.length === 1 ? keyText(one.items[0]?.key) : undefined,
  );
  return told?.joins !== undefined && last === told.joins[0] && only === told.joins[1];
}

function joined({ reading }: Place, one: ParsedNode, next: ParsedNode): Report {
  const { text } = reading.source;
  const entry = `{ ${text.slice(one.range[0], one.range[1])}, ${text.slice(next.range[0], next.range[1])} }`;
  const message = 'In a list, each step has its own braces, and the error of a step stands in them.';
  return { code: 'misplaced_key', message, allowed: entry, suggestion: entry, entry: [next.range[1], entry] };
}
