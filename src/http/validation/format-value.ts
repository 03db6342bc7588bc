/** Values and lists in sentences. */

/** The longest text that is repeated in full, in code points. */
const longestText = 60;

/** What was found, short enough for a sentence. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    const points = codePoints(value);
    return points > longestText ? `a text of ${points} characters` : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

/** As the documents count the length of a text. */
export function codePoints(text: string): number {
  return Array.from(text).length;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[], last: 'and' | 'or' = 'and'): string {
  const end = words.at(-1) ?? '';
  return words.length < 2 ? end : `${words.slice(0, -1).join(', ')} ${last} ${end}`;
}
