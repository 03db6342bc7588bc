import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import { printableLine } from '../domain/text.js';
import type { FoundProblem, Report } from '../language/problems.js';
import { listed, meantWords } from '../language/words.js';
import { asJson, insertion, replacement } from './correct.js';
import { keyText, scalarText, type YamlSource } from './yaml.js';

type Range = readonly [from: number, to: number];

export class Reading {
  readonly problems: FoundProblem[] = [];
  readonly warnings: FoundProblem[] = [];
  readonly #told = new Set<string>();

  constructor(readonly source: YamlSource) {}

  /** A place has one problem of each kind: an alias repeats the problems of its anchor. */
  add(problem: FoundProblem): void {
    const name = `${problem.line}:${problem.column} ${problem.code} ${problem.message}`;
    if (!this.#told.has(name)) this.problems.push(problem);
    this.#told.add(name);
  }
}

export class Place {
  readonly entries = new Map<string | number, Place>();
  /** Keys that are present in another form, and so are not reported as missing. */
  readonly claimed = new Set<string>();
  /** The value for zod. */
  value: unknown;
  /** An alias without an anchor. */
  isBroken = false;

  constructor(
    readonly reading: Reading,
    /** The value, with aliases resolved; null if there is none. */
    public node: ParsedNode | null,
    /** The author's place: an alias, not its anchor. */
    readonly range: Range,
    readonly parent?: Place,
    public name: string | number = '',
    public key?: Place,
  ) {}

  get path(): string {
    if (this.parent === undefined) return '';
    return typeof this.name === 'number' ? `${this.parent.path}[${this.name}]` : joinPath(this.parent.path, this.name);
  }

  get line(): number {
    return this.reading.source.place(this.range[0]).line;
  }

  report(report: Report): void {
    const at = report.onKey === true ? (this.key ?? this) : this;
    this.reading.add(at.#problem(report));
  }

  warn(report: Report): void {
    const { warnings, problems } = this.reading;
    if (!problems.some(({ path }) => path.startsWith(this.path))) warnings.push(this.#problem(report));
  }

  /** Without a name, the entry is removed. */
  rename(entry: Place, name?: string): void {
    this.entries.delete(entry.name);
    if (name === undefined || this.entries.has(name)) return;
    Object.assign(entry, { name, key: undefined });
    this.entries.set(name, entry);
  }

  at(path: string): Place | undefined {
    return path.split('.').reduce<Place | undefined>((place, key) => place?.entries.get(key), this);
  }

  items(path: string): Place[] {
    const list = this.at(path);
    return list !== undefined && isSeq(list.node) ? [...list.entries.values()] : [];
  }

  /** The value as written, if it is on one line. */
  get written(): string | undefined {
    const text = this.reading.source.text.slice(this.range[0], this.range[1]).trim();
    return text === '' || /[\r\n]/.test(text) ? undefined : text;
  }

  /** The characters of a scalar, without quotes. */
  get text(): string | undefined {
    return isScalar(this.node) && this.node.value !== null ? scalarText(this.node) : undefined;
  }

  describe(): string {
    const { node, text } = this;
    if (isScalar(node) && text !== undefined) {
      const isText = typeof node.value === 'string' || (node.type !== undefined && node.type !== 'PLAIN');
      const shown = clip(printableLine(text));
      return isText ? `the text ${JSON.stringify(shown)}` : `the ${typeof node.value} ${shown}`;
    }
    if (isMap(node)) {
      const keys = node.items.map((pair) => keyText(pair.key) ?? '?');
      return keys.length === 0 ? 'an empty mapping' : `a mapping with ${clip(printableLine(keys.join(', ')))}`;
    }
    if (isSeq(node)) return node.items.length === 0 ? 'an empty list' : `a list of ${node.items.length}`;
    return 'nothing';
  }

  /** Adds the probable meaning, and the change that could solve the problem. */
  #problem(report: Report): FoundProblem {
    const { range, text = '', path } = this;
    const { source } = this.reading;
    const { code, message, words = [], orElse, insert, to = range[1] } = report;
    const inStyle = (fragment: string) => (source.isJson ? asJson(fragment) : fragment);
    // In a list, a value for a list needs no brackets.
    const isListed = code === 'comma_missing' && typeof this.name === 'number';
    const replaced = report.replacement && inStyle(isListed ? report.replacement.slice(1, -1) : report.replacement);
    const meant = replaced ?? report.suggestion ?? meantWords(text, words)[0];
    const edit =
      report.dash === true
        ? { from: range[0] - 2, to: range[0], text: '- ' }
        : insert !== undefined
          ? insertion(source.text, range, inStyle(insert))
          : meant && replacement(source.text, [range[0], to], replaced ?? this.#requote(meant, inStyle));
    const list = [...listed(text, words), ...(orElse === undefined ? [] : [orElse])].join(', ');
    const allowed = report.allowed ?? (list === '' ? undefined : list);
    const isKnown = meant !== undefined || edit !== undefined;
    return {
      file: source.file,
      ...source.place(range[0]),
      path,
      code,
      message,
      found: report.found ?? this.describe(),
      ...(allowed !== undefined && { allowed }),
      ...(meant !== undefined && { suggestion: meant }),
      ...(report.example !== undefined && !isKnown && { example: inStyle(report.example) }),
      ...(edit && { edits: [edit] }),
    };
  }

  /** Puts a text in the quotes that the author used. */
  #requote(text: string, inStyle: (fragment: string) => string): string {
    const type = isScalar(this.node) ? this.node.type : undefined;
    if (type === 'QUOTE_DOUBLE') return JSON.stringify(text);
    return type === 'QUOTE_SINGLE' ? `'${text.replaceAll("'", "''")}'` : inStyle(text);
  }
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function joinPath(path: string, key: string): string {
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${JSON.stringify(key).slice(0, 80)}]`;
  return path === '' ? key : `${path}.${key}`;
}
