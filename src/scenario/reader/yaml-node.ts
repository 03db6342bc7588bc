/** A place in a scenario document, from which shapes read values and at which they complain. */
import { isAlias, isMap, isScalar, isSeq, Scalar } from 'yaml';
import type { Alias, ParsedNode, Range, YAMLMap, YAMLSeq } from 'yaml';
import { printableLine } from '../../domain/printable.js';
import { lineStartOf, replacedOnLine, type FoundProblem } from './corrected-line.js';
import { asJson } from './json-text.js';
import { mostProblems, type Report } from './problems.js';
import { MAX_VALUES } from './structure-limits.js';
import type { YamlSource } from './yaml-source.js';
import { listed, meantWords } from './synonyms.js';
import { clip, isPollution, isQuoted, joinPath, keyText, scalarText } from './yaml-text.js';

/** What a reading gives after complaining, told apart from every value a scenario can hold. */
export const INVALID = Symbol('unread');
export type Invalid = typeof INVALID;

/** Reports a warning at a place; nothing where there is no place. */
export type Warn = (place: YamlNode | undefined, complaint: Report) => void;

/** One reading of one document: its problems, and the count of values read. */
export interface Reading {
  readonly source: YamlSource;
  readonly aliases: ReadonlyMap<Alias, ParsedNode>;
  problems: FoundProblem[];
  /** Problems beyond those that are listed. */
  unlisted: number;
  /** Codes of what is said once. */
  said: Set<string>;
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

  /** The same, by the path that is meant. */
  under(path: string): YamlNode {
    return new YamlNode(this.reading, this.node, path, this.range);
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
    const { reading } = this;
    reading.complaints += 1;
    const isSaid = complaint.once === true && reading.said.has(complaint.code);
    if (complaint.once === true) reading.said.add(complaint.code);
    if (this.dangling || isSaid) return INVALID;
    // Nobody reads thousands, and each takes time.
    if (reading.problems.length < mostProblems) reading.problems.push(this.problem(complaint));
    else reading.unlisted += 1;
    return INVALID;
  }

  /** Counts a problem, and says whether there are so many that nobody need say what it is. */
  countsOnly(): boolean {
    const { reading } = this;
    if (reading.problems.length < mostProblems) return false;
    reading.complaints += 1;
    reading.unlisted += 1;
    return true;
  }

  /** Whether a shape takes what stands here. Nothing is reported. */
  fits(shape: { read(place: YamlNode): unknown }): boolean {
    const { reading } = this;
    const before = { ...reading, said: new Set(reading.said) };
    reading.problems = [];
    const isRead = shape.read(this) !== INVALID && reading.complaints === before.complaints;
    const { problems, complaints, unlisted, programs, said } = before;
    Object.assign(reading, { problems, complaints, unlisted, programs, said });
    return isRead;
  }

  /** The complaint with its place, what is meant, and lines that say so. */
  problem(complaint: Report): FoundProblem {
    const { source } = this.reading;
    const { code, message, replacement, words = [], orElse } = complaint;
    const written = this.scalarText() ?? '';
    const meant = this.inStyle(replacement) ?? complaint.suggestion ?? meantWords(written, words)[0];
    const line =
      complaint.insert !== undefined
        ? this.lineWith(complaint.insert)
        : meant !== undefined
          ? this.fixedLine(replacement === undefined ? this.requote(meant) : meant)
          : undefined;
    const list = [listed(written, words).join(', '), orElse]
      .filter((part) => part !== undefined && part !== '')
      .join(', ');
    const allowed = complaint.allowed ?? (list === '' ? undefined : list);
    const example = meant === undefined && line === undefined ? this.inStyle(complaint.example) : undefined;
    return {
      file: source.file,
      ...source.place(this.range[0]),
      path: this.path,
      code,
      message,
      found: complaint.found ?? this.describe(),
      ...(allowed !== undefined && { allowed }),
      ...(meant !== undefined && { suggestion: meant }),
      ...(example !== undefined && { example }),
      ...(line !== undefined && { candidates: [line] }),
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

  /** What stands here, if it is on one line, as it is written. */
  get written(): string | undefined {
    const text = this.reading.source.text.slice(this.range[0], this.range[1]).trim();
    return text === '' || /[\r\n]/.test(text) ? undefined : text;
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

  /** The line with one more key: inside the author's braces, or on a line of its own above it. */
  private lineWith(insert: string): string | undefined {
    const [start, end] = this.range;
    const { text } = this.reading.source;
    const written = text.slice(start, end);
    if (!written.startsWith('{')) {
      const line = /^[^\r\n]*/.exec(text.slice(start))?.[0] ?? '';
      return lineStartOf(text, start) === start ? `${insert}\n${line}` : undefined;
    }
    const entry = this.inStyle(insert) ?? insert;
    const rest = written.slice(1).trimStart();
    return this.fixedLine(rest.startsWith('}') ? `{ ${entry} ${rest}` : `{ ${entry}, ${rest}`);
  }

  /** The author's line with `text` in place of what stands here; undefined when that is no single line. */
  private fixedLine(text: string): string | undefined {
    return replacedOnLine(this.reading.source.text, this.range, text);
  }
}
