/** A place in a scenario document: shapes read values from it and report problems at it. */
import { isAlias, isMap, isScalar, isSeq, Scalar } from 'yaml';
import type { Alias, ParsedNode, Range } from 'yaml';
import { printableLine } from '../../domain/printable.js';
import { lineStartOf, replacedOnLine, type FoundProblem } from './corrected-line.js';
import { asJson, clip, isPollution, isQuoted, joinPath, keyText, scalarText } from './json-text.js';
import { mostProblems, type Report } from './problems.js';
import { MAX_VALUES, type YamlSource } from './yaml-source.js';
import { listed, meantWords } from './synonyms.js';

/** Returned after reporting a problem; differs from every value that a scenario can have. */
export const INVALID = Symbol('unread');
export type Invalid = typeof INVALID;

/** One reading of one document: its problems, and the number of values read. */
export interface Reading {
  readonly source: YamlSource;
  readonly aliases: ReadonlyMap<Alias, ParsedNode>;
  problems: FoundProblem[];
  warnings: FoundProblem[];
  /** Problems beyond those that are listed. */
  unlisted: number;
  /** Codes of problems that are reported once. */
  said: Set<string>;
  /** Number of reports, including those that repeat an earlier one and are not listed. */
  reports: number;
  /** Every value read, by its path: lints find places with it. */
  readonly places: Map<string, YamlNode>;
  /** The place of each mapping, by the value that was read from it. */
  readonly origins: WeakMap<object, YamlNode>;
  values: number;
  /** Total size of all regular expressions read. */
  programs: number;
}

/** An entry of a mapping: the key as written, its place, and the place of the value. */
export interface Entry {
  readonly key: string;
  readonly keyPlace: YamlNode;
  readonly value: YamlNode;
}

export class YamlNode {
  /** The value, with aliases resolved; null if there is none. */
  readonly node: ParsedNode | null;
  private readonly range: Range | readonly [number, number, number];
  /** Whether this is an alias without an anchor, which `openReading` has reported. */
  private readonly dangling: boolean;

  constructor(
    readonly reading: Reading,
    node: ParsedNode | null,
    readonly path: string,
    fallback?: Range | readonly [number, number, number],
  ) {
    // The range is where the author wrote something: at the alias, not at its anchor.
    this.range = node?.range ?? fallback ?? [0, 0, 0];
    this.node = node !== null && isAlias(node) ? (reading.aliases.get(node) ?? null) : node;
    this.dangling = node !== null && this.node === null;
    reading.values += 1;
    reading.places.set(path, this);
  }

  get line(): number {
    return this.reading.source.place(this.range[0]).line;
  }

  /** Whether the document has expanded into too many values; reports it the first time. */
  get exhausted(): boolean {
    if (this.reading.values <= MAX_VALUES) return false;
    const message = 'The scenario has too many values, counting those that its aliases repeat.';
    const [found, allowed] = [`more than ${MAX_VALUES} values`, `at most ${MAX_VALUES} values`];
    this.report({ code: 'too_many_values', message, found, allowed, once: true });
    return true;
  }

  /** Returns the scalar, unless it is empty or null. */
  scalar(): Scalar | undefined {
    return isScalar(this.node) && this.node.value !== null ? this.node : undefined;
  }

  map() {
    return isMap(this.node) ? this.node : undefined;
  }

  list() {
    return isSeq(this.node) ? this.node : undefined;
  }

  items(): YamlNode[] {
    return (this.list()?.items ?? []).map(
      (item, index) => new YamlNode(this.reading, item, `${this.path}[${index}]`, this.range),
    );
  }

  under(path: string): YamlNode {
    return new YamlNode(this.reading, this.node, path, this.range);
  }

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

  report(given: Report): Invalid {
    const { reading } = this;
    reading.reports += 1;
    const isSaid = given.once === true && reading.said.has(given.code);
    if (given.once === true) reading.said.add(given.code);
    if (this.dangling || isSaid) return INVALID;
    if (reading.problems.length < mostProblems) reading.problems.push(this.problem(given));
    else reading.unlisted += 1;
    return INVALID;
  }

  /** Warns of valid input that is probably a mistake. One more than is listed is kept, so that the list can say so. */
  warn(given: Report): void {
    const { warnings } = this.reading;
    if (warnings.length <= mostProblems) warnings.push(this.problem(given));
  }

  /** Returns the place of a path below this one; undefined if it was not read. */
  at(path: string): YamlNode | undefined {
    const joint = this.path === '' || path.startsWith('[') ? '' : '.';
    return this.reading.places.get(`${this.path}${joint}${path}`);
  }

  /** Returns the place of a path below this one, or this one if it was not read. */
  near(path: string): YamlNode {
    return this.at(path) ?? this;
  }

  /** Counts a problem and returns true if the list is full, so that it need not be described. */
  countsOnly(): boolean {
    const { reading } = this;
    if (reading.problems.length < mostProblems) return false;
    reading.reports += 1;
    reading.unlisted += 1;
    return true;
  }

  /** Returns whether a shape accepts this value, without reporting anything. */
  fits(shape: { read(place: YamlNode): unknown }): boolean {
    const { reading } = this;
    const before = { ...reading, said: new Set(reading.said) };
    reading.problems = [];
    const isRead = shape.read(this) !== INVALID && reading.reports === before.reports;
    const { problems, reports, unlisted, programs, said } = before;
    Object.assign(reading, { problems, reports, unlisted, programs, said });
    return isRead;
  }

  /** Returns the problem with its place, what is probably meant, and corrected lines. */
  problem(given: Report): FoundProblem {
    const { source } = this.reading;
    const { code, message, replacement, words = [], orElse } = given;
    const written = this.scalarText() ?? '';
    const meant = this.inStyle(replacement) ?? given.suggestion ?? meantWords(written, words)[0];
    const line =
      given.insert !== undefined
        ? this.lineWith(given.insert)
        : meant !== undefined
          ? this.fixedLine(replacement === undefined ? this.requote(meant) : meant)
          : undefined;
    const list = [listed(written, words).join(', '), orElse]
      .filter((part) => part !== undefined && part !== '')
      .join(', ');
    const allowed = given.allowed ?? (list === '' ? undefined : list);
    const example = meant === undefined && line === undefined ? this.inStyle(given.example) : undefined;
    return {
      file: source.file,
      ...source.place(this.range[0]),
      path: this.path,
      code,
      message,
      found: given.found ?? this.describe(),
      ...(allowed !== undefined && { allowed }),
      ...(meant !== undefined && { suggestion: meant }),
      ...(example !== undefined && { example }),
      ...(line !== undefined && { candidates: [line] }),
    };
  }

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

  /** The value as written, if it is on one line. */
  get written(): string | undefined {
    const text = this.reading.source.text.slice(this.range[0], this.range[1]).trim();
    return text === '' || /[\r\n]/.test(text) ? undefined : text;
  }

  scalarText(): string | undefined {
    const scalar = this.scalar();
    return scalar === undefined ? undefined : scalarText(scalar);
  }

  /** Converts YAML to the style of this document, which may be JSON. */
  private inStyle(fragment: string | undefined): string | undefined {
    return fragment !== undefined && this.reading.source.isJson() ? asJson(fragment) : fragment;
  }

  /** Puts a text in the quotes that the author used. */
  private requote(suggestion: string): string {
    const scalar = this.scalar();
    if (scalar?.type === Scalar.QUOTE_DOUBLE) return JSON.stringify(suggestion);
    if (scalar?.type === Scalar.QUOTE_SINGLE) return `'${suggestion.replaceAll("'", "''")}'`;
    return this.inStyle(suggestion) ?? suggestion;
  }

  /** Returns the line with one more key: inside the braces, or on a separate line above. */
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

  /** Returns the line with `text` in place of this value; undefined if it is not on a single line. */
  private fixedLine(text: string): string | undefined {
    return replacedOnLine(this.reading.source.text, this.range, text);
  }
}
