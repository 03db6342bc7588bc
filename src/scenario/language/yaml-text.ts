/** Texts of a YAML document, as written. */
import { isScalar, Scalar } from 'yaml';

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
