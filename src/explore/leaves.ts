/** The values of a state, and the customers that they are about. */
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

/**
 * Returns a function that says of the path to a value of a state which of these customers it is about: those that stand nearest to it, in
 * its record or in the name of that. None, if the state shows no numbers there.
 */
export function customersIn(
  state: Json,
  customers: readonly string[],
): (names: readonly string[]) => readonly string[] {
  const all = leaves(state);
  const shows = (text: unknown, customer: string) => String(text).includes(customer.slice(1));
  return (names) => {
    for (let depth = names.length; depth >= 0; depth -= 1) {
      const inside = all.filter((other) => names.slice(0, depth).every((name, at) => other.names[at] === name));
      const near = (customer: string): boolean =>
        (depth > 0 && shows(names[depth - 1], customer)) || inside.some(({ value }) => shows(value, customer));
      const found = customers.filter(near);
      if (found.length > 0) return found;
    }
    return [];
  };
}
