/** Numbers of records in a list, which depend on the order in which an application made them. */
import { customersIn, leaves } from './leaves.js';
import { isRecord, unstable, type Json } from './state.js';

/** In a shorter list, other numbers may happen to follow one another. */
const fewest = 4;

/** Returns a function that says whether a number at a path only differs as the numbers of this customer's records do. */
export function renumberedIn(
  expected: Json,
  found: Json | undefined,
): (path: readonly string[], before: number, now: number) => boolean {
  const [usual, others] = [serialsIn(expected), serialsIn(found ?? null)];
  const customersAt = customersIn(expected, phonesIn(expected));
  return (path, before, now) => {
    const [own = '', ...more] = customersAt(path);
    const numbers = (serials: Serials, value: number) =>
      (serials.get(value) ?? []).some((phones) => phones.includes(own));
    return more.length === 0 && numbers(usual, before) && numbers(others, now);
  };
}

/** The phone numbers of the records that have a number. */
type Serials = Map<number, (readonly string[])[]>;

/** In a field with them, each record of a list has another whole number, and none is left out. */
function serialsIn(state: Json, found: Serials = new Map()): Serials {
  if (typeof state !== 'object' || state === null) return found;
  const records = Array.isArray(state) ? state.filter(isRecord) : [];
  for (const name of records.length < fewest ? [] : Object.keys(records[0] ?? {})) {
    // Some may already differ between runs without faults.
    const all = records.filter((record) => record[name] !== unstable);
    const numbers = all.map((record) => Number(record[name] ?? NaN));
    const isGapless = Math.max(...numbers) - Math.min(...numbers) < records.length;
    const isSerial =
      2 * all.length >= records.length && numbers.every(Number.isInteger) && new Set(numbers).size === all.length;
    if (!isSerial || !isGapless) continue;
    for (const [i, value] of numbers.entries())
      found.set(value, [...(found.get(value) ?? []), phonesIn(all[i] ?? null)]);
  }
  for (const part of Object.values(state)) serialsIn(part, found);
  return found;
}

function phonesIn(state: Json): string[] {
  const texts = leaves(state).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  return [...new Set(texts.filter((text) => /^\+\d{7,15}$/.test(text)))];
}
