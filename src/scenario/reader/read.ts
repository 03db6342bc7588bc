/** Reads a document with a schema: the value, or every problem with its place. */
import { isScalar } from 'yaml';
import { about, type Schema } from '../schema/kit.js';
import type { FoundProblem } from '../schema/problems.js';
import { joinPath } from './json-text.js';
import { type Place, Reading } from './place.js';
import { Planter, type Tree } from './planter.js';
import { reportIssues } from './report.js';
import { parseYaml } from './yaml.js';

export interface ReadDocument<T> {
  /** The value, or the parts of it that are valid; undefined if there are none. */
  readonly value: T | undefined;
  readonly problems: readonly FoundProblem[];
  /** Number of problems beyond those that are listed. */
  readonly unlisted: number;
  /** Undefined if the syntax is invalid. */
  readonly root?: Place;
}

/**
 * Reads YAML or JSON. Never throws because of the text.
 * @param partOf the path of the part that is left out because of a problem at a path; by default, nothing can be left out
 */
export function readDocument<T>(
  schema: Schema<T>,
  text: string,
  file: string,
  partOf: (path: string) => string | undefined = () => undefined,
): ReadDocument<T> {
  const parsed = parseYaml(text, file);
  if ('problems' in parsed) return { value: undefined, unlisted: 0, ...parsed };
  const reading = new Reading(parsed.source);
  const planter = new Planter(reading);
  const { contents, range } = parsed.source.document;
  const tree = planter.plant(contents, '', schema, [range[0], range[0]]);
  const root = reading.places.get('') as Place;
  const result = () => ({ problems: reading.problems, unlisted: reading.unlisted, root });
  if (planter.isExhausted) return { value: undefined, ...result() };
  /** The parts that are left out. */
  const left = new Set<string>();
  for (let rest: Tree = tree, paths = reading.problems.map(({ path }) => path); ;) {
    const read = schema.safeParse(rest, { reportInput: true });
    if (!read.success) paths = [...paths, ...reportIssues(read.error.issues, reading)];
    else if (paths.length === 0) return { value: inOrderOf(rest, read.data, '', reading) as T, ...result() };
    const parts = paths.map(partOf);
    if (parts.includes(undefined) || parts.every((part) => part !== undefined && left.has(part))) break;
    for (const part of parts) if (part !== undefined) left.add(part);
    rest = without(tree, left, root);
    paths = [];
  }
  if (reading.problems.length === 0) throw new Error('A document without problems was not read.');
  return { value: undefined, ...result() };
}

/** The path at which an entry of a list was written, if others before it were left out. */
const indexes = new WeakMap<object, readonly number[]>();

/** Returns the tree without some of its parts. The only value of a key that has one stands in its place. */
function without(tree: Tree, parts: ReadonlySet<string>, { path, about: told, reading }: Place): Tree {
  if (parts.size === 0) return tree;
  const within = (one: Tree, at: string) => {
    const place = reading.places.get(at);
    return parts.has(at) || !place ? undefined : without(one, parts, place);
  };
  if (Array.isArray(tree)) {
    const kept = (tree as readonly Tree[]).flatMap((one, index) => {
      const rest = within(one, `${path}[${index}]`);
      return rest === undefined ? [] : [{ rest, index }];
    });
    const list = kept.map(({ rest }) => rest);
    indexes.set(
      list,
      kept.map(({ index }) => index),
    );
    return list;
  }
  if (!isPlain(tree)) return tree;
  const constants = Object.entries(told?.properties ?? {}).flatMap(([key, { schema, required }]) => {
    const { isConstant, example } = about(schema);
    return required && isConstant === true ? [[key, JSON.parse(example) as unknown]] : [];
  });
  const kept = Object.entries(tree).flatMap(([key, value]) => {
    const rest = within(value, joinPath(path, key));
    return rest === undefined ? [] : [[key, rest]];
  });
  return Object.fromEntries([...constants, ...kept]) as Tree;
}

/** Returns the value with the keys in the order in which they were written, and notes where each mapping was. */
function inOrderOf(tree: Tree, value: unknown, path: string, reading: Reading): unknown {
  if (Array.isArray(tree) && Array.isArray(value)) {
    const known = indexes.get(tree);
    return value.map((one, index) => inOrderOf(tree[index], one, `${path}[${known?.[index] ?? index}]`, reading));
  }
  if (!isPlain(tree) || !isPlain(value)) return value;
  const ordered = Object.fromEntries(
    Object.keys(tree).flatMap((key) =>
      Object.hasOwn(value, key) ? [[key, inOrderOf(tree[key], value[key], joinPath(path, key), reading)]] : [],
    ),
  );
  const place = reading.places.get(path);
  if (place) reading.origins.set(ordered, place);
  return ordered;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isScalar(value);
}
