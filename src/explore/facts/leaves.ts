/** The values of a state, and the customers that they are about. */
import { linksIn } from './links.js';
import type { Json } from './state.js';

export interface Leaf {
  readonly path: string;
  readonly names: readonly string[];
  readonly value: Json;
}

export function leaves(value: Json, names: readonly string[] = []): Leaf[] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : null;
  if (entries === null) return [{ path: names.join('.'), names, value }];
  return entries.flatMap(([name, part]) => leaves(part, [...names, name]));
}

export const partAt = (state: Json | undefined, names: readonly string[]): Json | undefined =>
  names.reduce((part, name) => (part as Record<string, Json> | null | undefined)?.[name], state);

/**
 * Returns a function that says of the path to a value of a state which of these customers it is about: those that stand nearest to it, in
 * its record or in the name of that, or the one whose record it names. None, if the state shows no numbers there.
 */
export function customersIn(
  state: Json,
  customers: readonly string[],
): (names: readonly string[]) => readonly string[] {
  const shownIn = (text: unknown) => customers.filter((customer) => String(text).includes(customer.slice(1)));
  const keyOf = (names: readonly string[], depth: number) => JSON.stringify(names.slice(0, depth));
  const all = leaves(state);
  const links = linksIn(all, shownIn);
  const inside = new Map<string, Set<string>>();
  for (const { names, value } of all) {
    const shown = shownIn(value);
    for (let depth = 0; shown.length > 0 && depth <= names.length; depth += 1) {
      const key = keyOf(names, depth);
      inside.set(key, new Set([...(inside.get(key) ?? []), ...shown]));
    }
  }
  const isList = (names: readonly string[]) => Array.isArray(partAt(state, names));
  return (names) => {
    for (let depth = names.length; depth >= 0; depth -= 1) {
      // The other entries of a list say nothing about this one.
      if (isList(names.slice(0, depth))) continue;
      const named = depth === 0 ? [] : shownIn(names[depth - 1]);
      const near = inside.get(keyOf(names, depth));
      const found = customers.filter((customer) => named.includes(customer) || near?.has(customer) === true);
      if (found.length > 0) return found;
      const linked = links.get(keyOf(names, depth));
      if (linked !== undefined) return [linked];
    }
    return [];
  };
}
