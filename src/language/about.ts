import { z } from 'zod';
import type { Report } from './problems.js';

export type Schema<T = unknown> = z.ZodType<T>;
export type JsonSchema = Readonly<Record<string, unknown>>;
export type Unchecked = Readonly<Record<string, unknown>>;

/** The place of an error, if it is at a key or at a path within the value. */
export type Misfit<K = string> = Report & { readonly at?: K | readonly (string | number)[] };

export interface About {
  /** Under this name, it is described once. */
  readonly name?: string;
  readonly allowed?: string;
  readonly example?: string;
  readonly exactlyOne?: readonly string[];
  readonly atLeastOne?: readonly string[];
  /**
   * Keys whose value may stand for the mapping in an error, as in `respond: 503`: the correction uses the first that
   * accepts it.
   */
  readonly short?: readonly string[];
  /** Least and greatest whole number, or number of entries of a list. */
  readonly bounds?: readonly [number, number];
  readonly keywords?: JsonSchema | undefined;
}

const abouts = z.registry<About>();

export function about<S extends Schema>(schema: S, facts: About): S {
  if (facts.name !== undefined) z.globalRegistry.add(schema, { id: facts.name });
  abouts.add(schema, facts);
  return schema;
}

interface Def {
  readonly type: string;
  readonly innerType?: Schema;
  readonly getter?: () => Schema;
  readonly element?: Schema;
  readonly catchall?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly options?: readonly Schema[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
}
const defOf = (schema: Schema): Def => schema.def;

/** For an optional key, or a name. */
const innerOf = (schema: Schema): Schema | undefined => defOf(schema).innerType ?? defOf(schema).getter?.();

export function coreOf(schema: Schema): Def {
  const inner = innerOf(schema);
  return inner === undefined ? defOf(schema) : coreOf(inner);
}

export function aboutOf(schema: Schema): About {
  const inner = innerOf(schema);
  return abouts.get(schema) ?? (inner === undefined ? {} : aboutOf(inner));
}

export function entryOf(schema: Schema | undefined, key: string | number): Schema | undefined {
  if (schema === undefined) return undefined;
  const { element, shape = {}, catchall } = coreOf(schema);
  return element ?? (Object.hasOwn(shape, key) ? shape[key] : catchall);
}

export function allowedBy(schema: Schema): string {
  const { allowed, name, bounds = [] } = aboutOf(schema);
  if (allowed !== undefined) return allowed;
  const { type, entries = {}, values = [], element, shape = {}, options = [] } = coreOf(schema);
  if (type === 'enum') return Object.keys(entries).join(', ');
  if (type === 'boolean') return 'true or false';
  if (type === 'number') return `a whole number from ${bounds.join(' to ')}`;
  if (type === 'literal') return String(values[0]);
  if (type === 'union') return options.map(allowedBy).join(', or ');
  if (element !== undefined) return `a list of ${allowedBy(element)}`;
  const noun = name?.replace(/\B[A-Z]/g, ' $&').toLowerCase() ?? `mapping with ${Object.keys(shape).join(', ')}`;
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** One line: of a mapping, the required keys and the first of a choice. */
export function exampleOf(schema: Schema): string {
  const { example, exactlyOne, atLeastOne } = aboutOf(schema);
  if (example !== undefined) return example;
  const { type, entries = {}, values = [], element, shape, options: [first] = [] } = coreOf(schema);
  if (type === 'enum') return Object.keys(entries)[0] ?? '';
  if (type === 'boolean') return 'true';
  if (type === 'literal') return String(values[0]);
  if (first !== undefined) return exampleOf(first);
  if (element !== undefined) return `[${exampleOf(element)}]`;
  const all = Object.entries(shape ?? {});
  const chosen = [exactlyOne?.[0], atLeastOne?.[0]];
  const least = all.filter(([key, one]) => defOf(one).type !== 'optional' || chosen.includes(key));
  const shown = (least.length > 0 ? least : all.slice(0, 1)).map(([key, one]) => `${key}: ${exampleOf(one)}`);
  return shape === undefined ? '{ ok: true }' : `{ ${shown.join(', ')} }`;
}
