/** A place in a scenario document: what is written there, and problems and warnings about it. */
import type { ParsedNode } from 'yaml';
import { isMap, isScalar, isSeq } from '../../domain/yaml.js';
import { printableLine } from '../../domain/text.js';
import { isPlain, type Schema } from '../schema/kit.js';
import { mostProblems, type Edit, type FoundProblem, type Report } from '../schema/problems.js';
import { listed, meantWords } from '../schema/words.js';
import { asJson, lineStartOf, replacement } from './edits.js';
import { joinPath, keyText, scalarText, type YamlSource } from './yaml.js';

type Range = readonly [from: number, to: number];

/** What was read of one document. */
export class Reading {
  readonly problems: FoundProblem[] = [];
  readonly warnings: FoundProblem[] = [];
  /** Problems beyond those that are listed. */
  unlisted = 0;
  /** Every value, by its path. */
  readonly places = new Map<string, Place>();
  readonly #told = new Set<string>();

  constructor(readonly source: YamlSource) {}

  /** Adds a problem, unless this place has one of its kind already: an alias repeats what is wrong with its anchor. */
  add(place: Place, report: Report): void {
    if (this.problems.length >= mostProblems) {
      this.unlisted += 1;
      return;
    }
    const problem = place.problem(report);
    const name = `${problem.line}:${problem.column} ${problem.code} ${problem.message}`;
    if (this.#told.has(name)) return;
    this.#told.add(name);
    this.problems.push(problem);
  }
}

export class Place {
  /** The schema that is meant for the value; undefined outside the language. */
  schema: Schema | undefined;
  /** Of a choice, which of its schemas that is. */
  option: number | undefined;
  /** What zod reads. */
  tree: unknown;
  /** Keys that are present under a wrong name, and so are not reported as missing. */
  readonly misspelt = new Set<string>();

  constructor(
    readonly reading: Reading,
    readonly path: string,
    /** The value, with aliases resolved; null if there is none. */
    readonly node: ParsedNode | null,
    /** Where the author wrote it: at an alias, not at its anchor. */
    readonly range: Range,
    readonly key?: Place,
  ) {}

  get line(): number {
    return this.reading.source.place(this.range[0]).line;
  }

  report(report: Report): void {
    this.reading.add(report.onKey === true ? (this.key ?? this) : this, report);
  }

  /** Warns of valid input that is probably a mistake. One more than is listed is kept, so that the list can say so. */
  warn(report: Report): void {
    const { warnings, problems } = this.reading;
    const isInvalid = problems.some(({ path }) => path.startsWith(this.path));
    if (!isInvalid && warnings.length <= mostProblems) warnings.push(this.problem(report));
  }

  /** Returns the place of a path below this one; undefined if there is none. */
  at(path: string): Place | undefined {
    const joint = this.path === '' || path === '' || path.startsWith('[') ? '' : '.';
    return this.reading.places.get(`${this.path}${joint}${path}`);
  }

  /** Returns the place of a path below this one, or this one if there is none. */
  near(path: string): Place {
    return this.at(path) ?? this;
  }

  /** Returns the place of a key. */
  child(key: string): Place | undefined {
    return this.reading.places.get(joinPath(this.path, key));
  }

  /** Returns the entries of the list at a path below this one. */
  items(path: string): Place[] {
    const list = this.at(path);
    return Array.isArray(list?.tree) ? list.tree.flatMap((_one, index) => list.at(`[${index}]`) ?? []) : [];
  }

  get isList(): boolean {
    return isSeq(this.node);
  }

  /** The keys that were read; misspelt ones have the name that is meant. */
  get keys(): readonly string[] {
    return isPlain(this.tree) ? Object.keys(this.tree) : [];
  }

  /** Returns the problem with its place, what is probably meant, and the change that may solve it. */
  problem(report: Report): FoundProblem {
    const { source } = this.reading;
    const { code, message, words = [], orElse, insert, entry, replacement: whole } = report;
    // In a list, what stands for a list needs no brackets of its own.
    const replaced = code === 'comma_missing' && /\]$/.test(this.path) ? whole?.slice(1, -1) : whole;
    const meant = this.#inStyle(replaced) ?? report.suggestion ?? meantWords(this.scalarText() ?? '', words)[0];
    const edit =
      insert !== undefined
        ? this.#insertion(insert)
        : entry !== undefined
          ? replacement(source.text, [this.range[0], entry[0]], this.#inStyle(entry[1]))
          : meant !== undefined
            ? replacement(source.text, this.range, replaced === undefined ? this.#requote(meant) : meant)
            : undefined;
    const list = [...listed(this.scalarText() ?? '', words), ...(orElse === undefined ? [] : [orElse])].join(', ');
    const allowed = report.allowed ?? (list === '' ? undefined : list);
    const example = meant === undefined && edit === undefined ? this.#inStyle(report.example) : undefined;
    return {
      file: source.file,
      ...source.place(this.range[0]),
      path: this.path,
      code,
      message,
      found: report.found ?? this.describe(),
      ...(allowed !== undefined && { allowed }),
      ...(meant !== undefined && { suggestion: meant }),
      ...(example !== undefined && { example }),
      ...(edit !== undefined && { edits: [edit] }),
    };
  }

  describe(): string {
    const { node } = this;
    if (isScalar(node) && node.value !== null) {
      const kind = this.isText ? 'the text' : `the ${typeof node.value}`;
      const text = printableLine(scalarText(node));
      return `${kind} ${this.isText ? JSON.stringify(clip(text)) : clip(text)}`;
    }
    if (isMap(node)) {
      const keys = node.items.map((pair) => keyText(pair.key) ?? '?');
      return keys.length === 0 ? 'an empty mapping' : `a mapping with ${clip(printableLine(keys.join(', ')))}`;
    }
    if (isSeq(node)) return node.items.length === 0 ? 'an empty list' : `a list of ${node.items.length}`;
    return 'nothing';
  }

  /** Whether it is a scalar in quotes, or one that is nothing but a text. */
  get isText(): boolean {
    const { node } = this;
    if (!isScalar(node)) return false;
    return typeof node.value === 'string' || (node.type !== undefined && node.type !== 'PLAIN');
  }

  /** The value as written, if it is on one line. */
  get written(): string | undefined {
    const text = this.reading.source.text.slice(this.range[0], this.range[1]).trim();
    return text === '' || /[\r\n]/.test(text) ? undefined : text;
  }

  scalarText(): string | undefined {
    return isScalar(this.node) && this.node.value !== null ? scalarText(this.node) : undefined;
  }

  /** Converts YAML to the style of this document, which may be JSON. */
  #inStyle<T extends string | undefined>(fragment: T): T | string {
    return fragment !== undefined && this.reading.source.isJson ? asJson(fragment) : fragment;
  }

  /** Puts a text in the quotes that the author used. */
  #requote(text: string): string {
    const type = isScalar(this.node) ? this.node.type : undefined;
    if (type === 'QUOTE_DOUBLE') return JSON.stringify(text);
    return type === 'QUOTE_SINGLE' ? `'${text.replaceAll("'", "''")}'` : this.#inStyle(text);
  }

  /** Adds a key: inside the braces, or on a separate line above. */
  #insertion(entry: string): Edit | undefined {
    const [start, end] = this.range;
    const { text } = this.reading.source;
    const written = text.slice(start, end);
    if (!written.startsWith('{')) {
      return lineStartOf(text, start) === start ? { from: start, to: start, text: `${entry}\n` } : undefined;
    }
    const rest = written.slice(1).trimStart();
    return replacement(text, this.range, `{ ${this.#inStyle(entry)}${rest.startsWith('}') ? '' : ','} ${rest}`);
  }
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
