/** A place in a scenario document, from which shapes read values and at which they complain. */
import { isAlias, isMap, isScalar, isSeq, Scalar } from 'yaml';
import type { Alias, ParsedNode, Range, YAMLMap, YAMLSeq } from 'yaml';
import { printableLine } from '../../domain/printable.js';
import type { Problem } from './problems.js';
import { asJson } from './json.js';
import { lineBelow, replacedOnLine } from './corrected-line.js';
import { MAX_VALUES } from './structure-limits.js';
import type { YamlSource } from './yaml-source.js';
import { nearestWord } from '../../domain/nearest-word.js';

/** For more complaints no corrected line is made: nobody reads them, and each takes time. */
const MOST_DETAILED = 1_000;

/** What a reading gives after complaining, told apart from every value a scenario can hold. */
export const INVALID = Symbol('unread');
export type Invalid = typeof INVALID;

export interface Report {
  readonly code: string;
  readonly message: string;
  readonly found?: string;
  readonly allowed?: string;
  /** Words that would have been right; the nearest one becomes the suggestion. */
  readonly words?: readonly string[];
  readonly suggestion?: string;
  /** What to write instead of the text at this place, when no suggestion is nearer. */
  readonly example?: string;
  /** A key and value to add to the mapping at this place. */
  readonly insert?: string;
}

/** Reports a warning at a place; nothing where there is no place. */
export type Warn = (place: YamlNode | undefined, complaint: Report) => void;

/** One reading of one document: its problems, and the count of values read. */
export interface Reading {
  readonly source: YamlSource;
  readonly aliases: ReadonlyMap<Alias, ParsedNode>;
  problems: Problem[];
  /** Grows with every complaint, also with one that says nothing new and so is no problem of its own. */
  complaints: number;
  /** Every value read, by its path: lints find their way back with it. */
  readonly places: Map<string, YamlNode>;
  /** Where each mapping was read, by what was read of it. */
  readonly origins: WeakMap<object, YamlNode>;
  values: number;
  /** Size of all regular expressions read. */
  programs: number;
  /** Whether too many values were complained about already. */
  exhausted: boolean;
}

/** Of a mapping: the key as it is written, its place, and the place of the value. */
export interface Entry {
  readonly key: string;
  readonly keyPlace: YamlNode;
  readonly value: YamlNode;
}

export class YamlNode {
  /** The value here, aliases resolved; null when there is none. */
  readonly node: ParsedNode | null;
  private readonly range: Range | readonly [number, number, number];
  /** Here stands an alias of nothing, which `openReading` complained about. */
  private readonly dangling: boolean;

  constructor(
    readonly reading: Reading,
    node: ParsedNode | null,
    readonly path: string,
    fallback?: Range | readonly [number, number, number],
  ) {
    // Ranges are where the author wrote something: at the alias, not at the anchor it stands for.
    this.range = node?.range ?? fallback ?? [0, 0, 0];
    this.node = node !== null && isAlias(node) ? (reading.aliases.get(node) ?? null) : node;
    this.dangling = node !== null && this.node === null;
    reading.values += 1;
    reading.places.set(path, this);
  }

  get line(): number {
    return this.reading.source.place(this.range[0]).line;
  }

  /** True once the document has unfolded into too many values; complains the first time. */
  get exhausted(): boolean {
    const { reading } = this;
    if (reading.values <= MAX_VALUES) return false;
    if (!reading.exhausted) {
      reading.exhausted = true;
      this.report({
        code: 'too_many_values',
        message: 'The scenario holds too many values, counting what its aliases repeat.',
        found: `more than ${MAX_VALUES} values`,
        allowed: `at most ${MAX_VALUES} values`,
      });
    }
    return true;
  }

  /** The scalar here, unless it is empty or null. */
  scalar(): Scalar | undefined {
    return isScalar(this.node) && this.node.value !== null ? this.node : undefined;
  }

  map(): YAMLMap<ParsedNode, ParsedNode | null> | undefined {
    return isMap(this.node) ? this.node : undefined;
  }

  list(): YAMLSeq<ParsedNode> | undefined {
    return isSeq(this.node) ? this.node : undefined;
  }

  /** The items of a list here, each as a place. */
  items(): YamlNode[] {
    return (this.list()?.items ?? []).map(
      (item, index) => new YamlNode(this.reading, item, `${this.path}[${index}]`, this.range),
    );
  }

  /** The entries of a mapping here. */
  entries(): Entry[] {
    return (this.map()?.items ?? []).flatMap((pair) => {
      const key = keyText(pair.key);
      if (key === undefined || isPollution(key)) return [];
      const path = joinPath(this.path, key);
      const keyPlace = new YamlNode(this.reading, pair.key, path, this.range);
      const value = new YamlNode(this.reading, pair.value, path, pair.key.range);
      return [{ key, keyPlace, value }];
    });
  }

  report(complaint: Report): Invalid {
    this.reading.complaints += 1;
    if (!this.dangling) this.reading.problems.push(this.problem(complaint));
    return INVALID;
  }

  /** The complaint with its place, a suggestion and a corrected line. */
  problem(complaint: Report): Problem {
    const { source } = this.reading;
    const found = complaint.found ?? this.describe();
    const isDetailed = this.reading.complaints <= MOST_DETAILED;
    const near = () => nearestWord(this.scalarText() ?? '', complaint.words ?? []);
    const suggestion = complaint.suggestion ?? (isDetailed ? near() : undefined);
    const allowed = complaint.allowed ?? complaint.words?.join(', ');
    const fixed = !isDetailed
      ? undefined
      : complaint.insert === undefined
        ? this.fixedLine(suggestion === undefined ? this.inStyle(complaint.example) : this.requote(suggestion))
        : this.lineWith(this.inStyle(complaint.insert));
    return {
      file: source.file,
      ...source.place(this.range[0]),
      path: this.path,
      code: complaint.code,
      message: complaint.message,
      found,
      ...(allowed !== undefined && { allowed }),
      ...(suggestion !== undefined && { suggestion }),
      ...(fixed !== undefined && { fixed }),
    };
  }

  /** What stands here, for the eyes of the author. */
  describe(): string {
    const scalar = this.scalar();
    if (scalar !== undefined) {
      const kind = isQuoted(scalar) || typeof scalar.value === 'string' ? 'the text' : `the ${typeof scalar.value}`;
      const text = printableLine(scalarText(scalar));
      return `${kind} ${kind === 'the text' ? JSON.stringify(clip(text)) : clip(text)}`;
    }
    const keys = this.map()?.items.map((pair) => keyText(pair.key) ?? '?');
    if (keys !== undefined) {
      return keys.length === 0 ? 'an empty mapping' : `a mapping with ${clip(printableLine(keys.join(', ')))}`;
    }
    const list = this.list();
    if (list !== undefined) return list.items.length === 0 ? 'an empty list' : `a list of ${list.items.length}`;
    return 'nothing';
  }

  /** The characters of the scalar here. */
  scalarText(): string | undefined {
    const scalar = this.scalar();
    return scalar === undefined ? undefined : scalarText(scalar);
  }

  /** What we would write in YAML, as this document is written. */
  private inStyle(fragment: string | undefined): string | undefined {
    return fragment !== undefined && this.reading.source.isJson() ? asJson(fragment) : fragment;
  }

  /** The same quotes as the author's, around a text. */
  private requote(suggestion: string): string {
    const scalar = this.scalar();
    if (scalar?.type === Scalar.QUOTE_DOUBLE) return JSON.stringify(suggestion);
    if (scalar?.type === Scalar.QUOTE_SINGLE) return `'${suggestion.replaceAll("'", "''")}'`;
    return this.inStyle(suggestion) ?? suggestion;
  }

  /** A line that adds a key: inside the author's braces, or a line of its own in a block. */
  private lineWith(insert: string | undefined): string | undefined {
    if (insert === undefined) return undefined;
    const [start, end] = this.range;
    const { text } = this.reading.source;
    const written = text.slice(start, end);
    if (written.startsWith('{')) {
      const rest = written.slice(1).trimStart();
      return this.fixedLine(rest.startsWith('}') ? `{ ${insert} ${rest}` : `{ ${insert}, ${rest}`);
    }
    const map = this.map();
    return map === undefined || map.flow === true ? undefined : lineBelow(text, start, insert);
  }

  /** The author's line with `text` in place of what stands here; undefined when that is no single line. */
  private fixedLine(text: string | undefined): string | undefined {
    const { source } = this.reading;
    return text === undefined ? undefined : replacedOnLine(source.text, this.range, text);
  }
}

/** What the author wrote, without quotes: `+12025550123`, `012345` and `no` keep their characters. */
export function scalarText(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value);
}

export function isQuoted(scalar: Scalar): boolean {
  return scalar.type !== undefined && scalar.type !== Scalar.PLAIN;
}

/** A key's characters; undefined for a key that is a list, a mapping or an alias. */
export function keyText(key: unknown): string | undefined {
  return isScalar(key) ? scalarText(key) : undefined;
}

/** Keys that would reach the prototype of a JavaScript object. */
export function isPollution(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

export function joinPath(path: string, key: string): string {
  const simple = /^[A-Za-z_][\w-]*$/.test(key);
  if (!simple) return `${path}[${clip(JSON.stringify(key))}]`;
  return path === '' ? key : `${path}.${key}`;
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
