/** Formats values for errors, and reads own properties. */

/** The longest text that is repeated in full, in code points. */
const longestText = 60;

/** The invalid value, shortened for a sentence. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    const points = codePoints(value);
    return points > longestText ? `a text of ${points} characters` : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

/** The length of a text as the documents count it. */
export function codePoints(text: string): number {
  return Array.from(text).length;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  const end = words.at(-1) ?? '';
  return words.length < 2 ? end : `${words.slice(0, -1).join(', ')} ${last} ${end}`;
}

/** Returns the own property of a value; undefined for an inherited property, and for a value that is not an object. */
export function own<T>(holder: Readonly<Record<string, T>> | undefined, name: string | number): T | undefined;
export function own(holder: unknown, name: string | number): unknown;
export function own(holder: unknown, name: string | number): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
  return (holder as Record<string | number, unknown>)[name];
}
