import type { Node, YAMLMap } from 'yaml';
import { isAlias, isMap, isScalar, yaml } from '../domain/yaml.js';
import { nearestWord } from '../domain/text.js';
import {
  defaultDialect,
  type Dialect,
  dialectKeys,
  dialectSettings,
  type DialectValue as Value,
  statusRange,
  withSettings,
} from './model.js';

/** One problem in a dialect file. Line and column count from 1. */
export interface DialectProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Dotted key, empty for a problem with the whole file. */
  readonly path: string;
  readonly message: string;
}

/** Thrown for an invalid dialect file, with all of its problems in the order of the file. */
export class DialectError extends Error {
  readonly problems: readonly DialectProblem[];

  constructor(problems: readonly DialectProblem[]) {
    super(problems.map((p) => `${p.file}:${p.line}:${p.column}: ${p.message}`).join('\n'));
    this.name = 'DialectError';
    this.problems = problems;
  }
}

type Report = (offset: number, path: string, message: string) => void;

/** Keys that hold further keys: http, errors, errors.status and so on. */
const sections = new Set(dialectKeys.flatMap((key) => [...key.matchAll(/\./g)].map((dot) => key.slice(0, dot.index))));
const listed = (values: readonly Value[]): string => values.map((value) => JSON.stringify(value)).join(' or ');

/** Describes the allowed values for a key; undefined if the value is valid. */
function objection(key: string, value: unknown): string | undefined {
  const setting = dialectSettings.find((known) => known.key === key);
  if (setting) {
    return setting.allowed.includes(value as Value) ? undefined : listed(setting.allowed);
  }
  const { least, most } = statusRange;
  const fine = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  return fine ? undefined : `a whole number from ${least} to ${most}`;
}

/** Formats a value as its author wrote it: text is quoted, so that "201" and 201 differ. */
function shown(node: Node | null): string {
  if (isScalar(node)) return JSON.stringify(node.value ?? null);
  if (isAlias(node)) return `the alias *${node.source}`;
  return isMap(node) ? 'a mapping' : 'a list';
}

function readMap(map: YAMLMap<Node, Node | null>, prefix: string, found: Map<string, Value>, report: Report): void {
  for (const { key, value } of map.items) {
    const at = key.range?.[0] ?? 0;
    const path = prefix + (isScalar(key) ? String(key.value) : shown(key));
    if (sections.has(path)) {
      if (isMap<Node, Node | null>(value)) readMap(value, `${path}.`, found, report);
      else report(at, path, `${path} contains further settings; found ${shown(value)}. Write ${path}: { … }.`);
      continue;
    }
    if (!dialectKeys.includes(path)) {
      const meant = nearestWord(path, dialectKeys);
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      report(at, path, `unknown setting ${path}.${hint} Known are ${dialectKeys.join(', ')}.`);
      continue;
    }
    const scalar = isScalar(value) ? value.value : undefined;
    const allowed = objection(path, scalar);
    if (found.has(path)) report(at, path, `${path} is set twice, nested and dotted; keep one of them.`);
    else if (allowed !== undefined) {
      report(value?.range?.[0] ?? at, path, `${path}: found ${shown(value)}; allowed: ${allowed}.`);
    } else found.set(path, scalar as Value);
  }
}

/**
 * Reads a dialect file: YAML 1.2, with nested or dotted keys. Every omitted key keeps its default.
 * @param file the name to show in problems
 * @throws DialectError with every problem of the file
 */
export function parseDialect(yamlText: string, file: string): Dialect {
  const lines = new (yaml().LineCounter)();
  const document = yaml().parseDocument<Node>(yamlText, { lineCounter: lines, version: '1.2', prettyErrors: false });
  const problems: DialectProblem[] = [];
  const report: Report = (offset, path, message) => {
    const { line, col } = lines.linePos(offset);
    problems.push({ file, line, column: col, path, message });
  };
  const found = new Map<string, Value>();
  for (const error of document.errors) report(error.pos[0], '', `invalid YAML: ${error.message}`);
  const root = document.contents;
  if (isMap<Node, Node | null>(root)) readMap(root, '', found, report);
  else if (root !== null && !(isScalar(root) && root.value === null)) {
    report(0, '', `a dialect is a mapping such as "http.created: 201"; found ${shown(root)}.`);
  }
  if (problems.length > 0) {
    throw new DialectError(problems.sort((a, b) => a.line - b.line || a.column - b.column));
  }
  return withSettings(defaultDialect, found);
}
