/** A place in a scenario document: what is written there, and problems and warnings about it. */
import { isAlias, isMap, isScalar, isSeq, Scalar, type ParsedNode } from 'yaml';
import { printableLine } from '../../domain/printable.js';
import { lineStartOf, replacement } from './correct.js';
import { asJson, clip, isQuoted, keyText } from './json-text.js';
import { mostProblems, type Edit, type FoundProblem, type Report } from '../schema/problems.js';
import { scalarText, type About } from '../schema/kit.js';
import { listed, meantWords } from '../schema/words.js';
import type { YamlSource } from './yaml.js';

type Range = readonly [from: number, to: number];

export class Reading {
  readonly problems: FoundProblem[] = [];
  readonly warnings: FoundProblem[] = [];
  /** Problems beyond those that are listed. */
  unlisted = 0;
  /** Every value, by its path. */
  readonly places = new Map<string, Place>();
  /** The place of each mapping, by the value that was read from it. */
  readonly origins = new WeakMap<object, Place>();
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
  /** What messages know of the value; undefined outside the language. */
  about: About | undefined;
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
    const { warnings } = this.reading;
    if (warnings.length <= mostProblems) warnings.push(this.problem(report));
  }

  /** Returns the place of a path below this one; undefined if there is none. */
  at(path: string): Place | undefined {
    const joint = this.path === '' || path.startsWith('[') ? '' : '.';
    return this.reading.places.get(`${this.path}${joint}${path}`);
  }

  /** Returns the place of a path below this one, or this one if there is none. */
  near(path: string): Place {
    return this.at(path) ?? this;
  }

  /** Returns the problem with its place, what is probably meant, and the changes that may solve it. */
  problem(given: Report): FoundProblem {
    const { source } = this.reading;
    const { code, message, words = [], orElse } = given;
    const inList = /\]$/.test(this.path) && !source.isJson();
    const replaced = inList && given.code === 'comma_missing' ? given.replacement?.slice(1, -1) : given.replacement;
    const written = this.scalarText() ?? '';
    const meant = this.inStyle(replaced) ?? given.suggestion ?? meantWords(written, words)[0];
    const edit =
      given.insert !== undefined
        ? this.insertion(given.insert)
        : given.entry !== undefined
          ? this.entry(given.entry)
          : meant !== undefined
            ? this.change(replaced === undefined ? this.requote(meant) : meant)
            : undefined;
    const list = [listed(written, words).join(', '), orElse]
      .filter((one) => one !== undefined && one !== '')
      .join(', ');
    const allowed = given.allowed ?? (list === '' ? undefined : list);
    const example = meant === undefined && edit === undefined ? this.inStyle(given.example) : undefined;
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
      ...(edit !== undefined && { edits: [edit] }),
    };
  }

  describe(): string {
    const { node } = this;
    if (isScalar(node) && node.value !== null) {
      const kind = isQuoted(node) || typeof node.value === 'string' ? 'the text' : `the ${typeof node.value}`;
      const text = printableLine(scalarText(node));
      return `${kind} ${kind === 'the text' ? JSON.stringify(clip(text)) : clip(text)}`;
    }
    if (isMap(node)) {
      const keys = node.items.map((pair) => keyText(pair.key) ?? '?');
      return keys.length === 0 ? 'an empty mapping' : `a mapping with ${clip(printableLine(keys.join(', ')))}`;
    }
    if (isSeq(node)) return node.items.length === 0 ? 'an empty list' : `a list of ${node.items.length}`;
    return 'nothing';
  }

  /** The value as written, if it is on one line. */
  get written(): string | undefined {
    const text = this.reading.source.text.slice(this.range[0], this.range[1]).trim();
    return text === '' || /[\r\n]/.test(text) ? undefined : text;
  }

  scalarText(): string | undefined {
    return isScalar(this.node) && this.node.value !== null ? scalarText(this.node) : undefined;
  }

  /** Whether it is an alias without an anchor, which has been reported. */
  get isDangling(): boolean {
    return isAlias(this.node);
  }

  /** Converts YAML to the style of this document, which may be JSON. */
  private inStyle(fragment: string | undefined): string | undefined {
    return fragment !== undefined && this.reading.source.isJson() ? asJson(fragment) : fragment;
  }

  /** Puts a text in the quotes that the author used. */
  private requote(suggestion: string): string {
    const type = isScalar(this.node) ? this.node.type : undefined;
    if (type === Scalar.QUOTE_DOUBLE) return JSON.stringify(suggestion);
    if (type === Scalar.QUOTE_SINGLE) return `'${suggestion.replaceAll("'", "''")}'`;
    return this.inStyle(suggestion) ?? suggestion;
  }

  /** Adds a key: inside the braces, or on a separate line above. */
  private insertion(entry: string): Edit | undefined {
    const [start, end] = this.range;
    const { text } = this.reading.source;
    const written = text.slice(start, end);
    if (!written.startsWith('{')) {
      return lineStartOf(text, start) === start ? { from: start, to: start, text: `${entry}\n` } : undefined;
    }
    const inside = this.inStyle(entry) ?? entry;
    const rest = written.slice(1).trimStart();
    return this.change(rest.startsWith('}') ? `{ ${inside} ${rest}` : `{ ${inside}, ${rest}`);
  }

  /** Replaces key and value by another entry. The place is that of the key. */
  private entry([end, entry]: readonly [end: number, entry: string]): Edit | undefined {
    return replacement(this.reading.source.text, [this.range[0], end], this.inStyle(entry) ?? entry);
  }

  private change(text: string): Edit | undefined {
    return replacement(this.reading.source.text, this.range, text);
  }
}
