/** Places in the state that an application reports: in words, and as an expectation. */
import { leaves, partAt } from './leaves.js';
import { isRecord, normalForm, type Json } from './state.js';
import type { Deviation } from './types.js';

/**
 * Returns a path in words. An entry of a list is named by its customer, or else by its first text or number.
 * @param states those in which the entries of a list are looked for, one after the other
 */
export function placeIn(path: readonly string[], ...states: readonly (Json | undefined)[]): string {
  let parts = states;
  const names = path.map((name) => {
    const isEntry = parts.some(Array.isArray);
    parts = parts.map((part) => (part as Record<string, Json> | null | undefined)?.[name]);
    const entry = parts.find(isRecord);
    const values = isEntry && entry ? leaves(entry).map(({ value }) => value) : [];
    const texts = values.flatMap((value) =>
      typeof value === 'string' && value !== '' ? [value] : typeof value === 'number' ? [String(value)] : [],
    );
    const known = texts.find((text) => /^\+\d{7,15}$/.test(text)) ?? texts[0];
    return known === undefined || known.length > 40 ? `.${name}` : `[${known}]`;
  });
  return names.join('').replace(/^\./, '');
}

/** Returns the list, in words, in which an entry has this path; null if it is in none. */
export function listAt(path: readonly string[], state: Json): string | null {
  const outer = path.slice(0, -1);
  return Array.isArray(partAt(state, outer)) && outer.length > 0 ? placeIn(outer, state) : null;
}

const isAddress = (name: string): boolean => /^(\/|https?:|stdout$)/.test(name);

/**
 * Returns the reported state as an expectation. Where a run without faults has nothing, it is what contains that; null if
 * that is not the same in each run, or no path of an application.
 */
export function stateAt(state: unknown, [address = '', ...names]: readonly string[]): Deviation['expect'] {
  // What a command reports is not at an address.
  if (!isAddress(address))
    return stateAt({ stdout: state }, ['stdout', ...(address === '' ? [] : [address]), ...names]);
  const values = [(state as Record<string, unknown> | null)?.[address]];
  for (const name of names) values.push((values.at(-1) as Record<string, unknown> | null | undefined)?.[name]);
  const depth = values.findLastIndex((value) => value !== undefined);
  const isStable = JSON.stringify(normalForm(values[depth])) === JSON.stringify(values[depth]);
  if (depth < 0 || !isStable || names.some((name) => name.includes('.'))) return null;
  const [url = '', ...inside] = address.split('#');
  const path = [...inside, ...names.slice(0, depth)].join('.');
  return { state: { [path === '' ? url : `${url}#${path}`]: values[depth] } };
}
