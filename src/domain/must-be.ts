/** The sentence about a wrong value: the predicate after the name of its field. */

/** @param allowed such as `a text of 1 to 64 characters` */
export function mustBe(allowed: string, value: unknown): string {
  return `must be ${allowed}; found ${shown(value)}`;
}

const longestText = 60;

export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    const points = codePoints(value);
    return points > longestText ? `a text of ${points} characters` : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

export function codePoints(text: string): number {
  return Array.from(text).length;
}
