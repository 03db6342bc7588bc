/** Texts of YAML and JSON, as written: finds what makes a text invalid JSON, and converts YAML to JSON. */
import { isMap, isScalar, isSeq, parseDocument, type Node, Scalar } from 'yaml';

export interface JsonFault {
  readonly offset: number;
  /** One sentence. */
  readonly message: string;
}

/**
 * Returns why a text is not JSON, or undefined if it is. Other tools also read a `.json` file, so it must be JSON. Only
 * the error of a trailing comma has a position in every version of the engine.
 */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const comma = trailingComma(text);
    if (comma !== undefined) return { offset: comma, message: 'JSON allows no comma before a closing bracket.' };
    const reason = error instanceof Error ? error.message : String(error);
    return {
      offset: Number(/position (\d+)/.exec(reason)?.[1] ?? 0),
      message: `Invalid JSON: ${reason.replace(/\.?$/, '.')}`,
    };
  }
}

/** Skips strings, in which a comma has no meaning. */
function trailingComma(text: string): number | undefined {
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|,\s*[\]}]/gs)) {
    if (match[0].startsWith(',')) return match.index;
  }
  return undefined;
}

/** Returns a value, or `key: value` without braces, as JSON; undefined if it is not valid YAML. */
export function asJson(fragment: string): string | undefined {
  const isEntry = /^[\w-]+: /.test(fragment);
  const { contents, errors } = parseDocument(isEntry ? `{ ${fragment} }` : fragment, { schema: 'core' });
  if (errors.length > 0 || contents === null) return undefined;
  const json = written(contents);
  return isEntry ? json.slice(2, -2) : json;
}

function written(node: unknown): string {
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => `${JSON.stringify(text(key))}: ${written(value)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (isSeq(node)) return `[${node.items.map(written).join(', ')}]`;
  const { value } = node as Scalar;
  const isNumber = typeof value === 'number' && String(value) === text(node);
  return isNumber || typeof value === 'boolean' || value === null ? String(value) : JSON.stringify(text(node));
}

/** Returns the characters of a scalar: `+12025550123` is not a number. */
function text(node: unknown): string {
  const { source, value } = node as Scalar & Node;
  return isScalar(node) ? (source ?? String(value)) : String(node);
}

/** Returns a scalar as written, without quotes: `+12025550123`, `012345` and `no` keep their characters. */
export function scalarText(scalar: Scalar): string {
  return scalar.source ?? String(scalar.value);
}

export function isQuoted(scalar: Scalar): boolean {
  return scalar.type !== undefined && scalar.type !== Scalar.PLAIN;
}

/** Returns the characters of a key; undefined for a list, a mapping or an alias. */
export function keyText(key: unknown): string | undefined {
  return isScalar(key) ? scalarText(key) : undefined;
}

/** Returns whether a key would reach the prototype of a JavaScript object. */
export function isPollution(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

export function joinPath(path: string, key: string): string {
  const simple = /^[A-Za-z_][\w-]*$/.test(key);
  if (!simple) return `${path}[${clip(JSON.stringify(key))}]`;
  return path === '' ? key : `${path}.${key}`;
}

export function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
