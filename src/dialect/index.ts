/**
 * The dialect: the decisions on open points of the interface document that a user can change, by a YAML file for
 * `--dialect`. The API plane reads nothing else to make them.
 */
import type { Document, Node, YAMLMap } from 'yaml';
import { nearestWord } from '../domain/text.js';
import { isAlias, isMap, isScalar, yaml } from '../domain/yaml.js';
import { contradictions } from './contradictions.js';
import { defaultDialect } from './default.js';
import { tooDeep, unreadableIn } from './unreadable.js';
import {
  allSettings,
  dialectOf,
  dialectSchema,
  dialectSettings,
  type Dialect,
  type DialectFile,
  type Setting,
} from './description.js';

export { defaultDialect, dialectOf, dialectSchema, dialectSettings, type Dialect, type DialectFile };

export const dialectKeys = (): string[] => allSettings().map(({ key }) => key);

/** CODE stands for each error code. */
export const knownSettings = (): string =>
  dialectSettings()
    .map(({ key }) => key)
    .join(', ');

function sectionsOf(keys: readonly string[]): Set<string> {
  return new Set(
    keys.flatMap((key) => {
      const words = key.split('.');
      return words.slice(1).map((_, index) => words.slice(0, index + 1).join('.'));
    }),
  );
}

/** In the order of the description, only what differs. */
export function differencesOf(dialect: Dialect): string[] {
  if (dialect === defaultDialect) return [];
  return allSettings().flatMap(({ key, path }) => {
    const [own, standard] = [dialect, defaultDialect].map((from) => JSON.stringify(valueAt(from, path)));
    return own === standard ? [] : [key];
  });
}

function valueAt(from: unknown, path: readonly string[]): unknown {
  return path.reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], from);
}

export interface DialectProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export class DialectError extends Error {
  override readonly name = 'DialectError';
  constructor(readonly problems: readonly DialectProblem[]) {
    super(problems.map((p) => `${p.file}:${p.line}:${p.column}: ${p.message}`).join('\n'));
  }
}

/**
 * YAML 1.2, with nested or dotted keys. Every omitted key keeps its default.
 * @throws DialectError with every problem of the file
 */
export function parseDialect(text: string, file: string): Dialect {
  const lines = new (yaml().LineCounter)();
  const document = yaml().parseDocument<Node>(text, { lineCounter: lines, version: '1.2', prettyErrors: false });
  const problems: DialectProblem[] = [];
  const report = (offset: number, message: string) => {
    const { line, col } = lines.linePos(offset);
    problems.push({ file, line, column: col, message });
  };
  // The parser calls itself for each level; what it says of the rest is then noise.
  const deep = document.errors.find(({ message }) => /call stack/.test(message));
  for (const error of deep ? [deep] : document.errors)
    report(error.pos[0], deep ? `the file ${tooDeep}.` : `invalid YAML: ${error.message}`);
  const found: Found = new Map();
  const given: Found = new Map();
  const settings = new Map(allSettings().map((setting) => [setting.key, setting]));
  const sections = sectionsOf(dialectKeys());
  const root = document.contents;
  if (isMap<Node, Node | null>(root))
    readMap(root, '', {
      found,
      report,
      settings,
      sections,
      given,
      document,
    });
  else if (root !== null && !(isScalar(root) && root.value === null)) {
    report(0, `a dialect is a mapping such as "http.created: 201"; found ${shown(root)}.`);
  }
  const dialect = assembled(found);
  for (const [key, message] of contradictions(
    Object.fromEntries([...given].map(([name, { value }]) => [name, value])),
    dialect,
  ))
    report(given.get(key)?.at ?? 0, `${message}.`);
  if (problems.length > 0) {
    throw new DialectError(problems.sort((a, b) => a.line - b.line || a.column - b.column));
  }
  return dialect;
}

/** Keys are settings; `at` is the offset. */
type Found = Map<string, { readonly value: unknown; readonly at: number }>;

interface Reading {
  readonly settings: ReadonlyMap<string, Setting>;
  readonly sections: ReadonlySet<string>;
  /** The valid settings. */
  readonly found: Found;
  /** All known settings of the file. */
  readonly given: Found;
  readonly report: (offset: number, message: string) => void;
  readonly document: Document;
}

function assembled(found: Found): Dialect {
  const file: Record<string, unknown> = {};
  const settings = new Map(allSettings().map((setting) => [setting.key, setting]));
  for (const [key, { value }] of found) {
    const path = settings.get(key)?.path ?? [];
    let at = file;
    for (const word of path.slice(0, -1)) at = (at[word] ??= {}) as Record<string, unknown>;
    at[path.at(-1) ?? ''] = value;
  }
  return dialectOf(file);
}

function readMap(map: YAMLMap<Node, Node | null>, prefix: string, reading: Reading): void {
  const { given, report, settings, sections } = reading;
  for (const { key, value } of map.items) {
    const at = key.range?.[0] ?? 0;
    const path = prefix + (isScalar(key) ? String(key.value) : shown(key));
    const setting = settings.get(path);
    if (setting) {
      if (given.has(path)) report(at, `${path} is set twice, nested and dotted; keep one of them.`);
      else readSetting(setting, value, at, reading);
    } else if (!sections.has(path)) {
      const meant = nearestWord(path, [...settings.keys()]);
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      report(at, `unknown setting ${path}.${hint} Known are ${knownSettings()}.`);
    } else if (isMap<Node, Node | null>(value)) readMap(value, `${path}.`, reading);
    else report(at, `${path} contains further settings; found ${shown(value)}. Write ${path}: { … }.`);
  }
}

function readSetting(
  { key, schema }: Setting,
  node: Node | null,
  at: number,
  { found, given, report, document }: Reading,
): void {
  const unreadable = node === null ? null : unreadableIn(node, document);
  if (unreadable !== null) {
    report(unreadable.at, `${key}: ${unreadable.why}.`);
    return;
  }
  const value = node === null ? null : (node.toJS(document, { maxAliasCount: -1 }) as unknown);
  given.set(key, { value, at });
  const result = schema.safeParse(value);
  if (result.success) {
    found.set(key, { value, at });
    return;
  }
  for (const { path, message, code } of result.error.issues) {
    const { place, offset } = placeOf(node, path, at);
    const words = [key, ...place].join('.');
    report(
      offset,
      code === 'custom' && !/^the name of/.test(message)
        ? `${words}: ${message}.`
        : `${words}: found ${shown(node)}; allowed: ${message}.`,
    );
  }
}

/** Returns the keys on the way to a part of a value, and where it stands in the text. */
function placeOf(
  node: Node | null,
  path: readonly PropertyKey[],
  at: number,
): { place: PropertyKey[]; offset: number } {
  const offset = node?.range?.[0] ?? at;
  const [key, ...more] = path;
  if (key === undefined || !(isMap<Node, Node | null>(node) || yaml().isSeq<Node>(node)))
    return { place: [...path], offset };
  const inner = node.get(String(key), true) ?? node.get(key, true);
  const deeper = placeOf(inner ?? null, more, offset);
  return { place: [key, ...deeper.place], offset: deeper.offset };
}

/** Text is quoted, so that "201" and 201 differ. */
function shown(node: Node | null): string {
  if (node === null) return 'null';
  if (isScalar(node)) return JSON.stringify(node.value ?? null);
  if (isAlias(node)) return `the alias *${node.source}`;
  return isMap(node) ? 'a mapping' : 'a list';
}
