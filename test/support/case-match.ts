/**
 * Compares a response with the expectation of a case file. An object matches if all of its keys do; an array must have
 * the same length; a text `/…/flags` is a regular expression; `<any>`, `<absent>`, `<uuid>`, `<iso>`, `<integer>` and
 * `<string>` are shapes; `{$contains: X}` requires one element of an array to match X; `{$not: X}` requires X not to
 * match.
 */

const shapes: Record<string, (value: unknown) => boolean> = {
  '<any>': (value) => value !== undefined,
  '<absent>': (value) => value === undefined,
  '<string>': (value) => typeof value === 'string',
  '<integer>': (value) => Number.isInteger(value),
  '<uuid>': (value) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(String(value)),
  '<iso>': (value) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(String(value)),
};

const regexOf = (text: string): RegExp | undefined => {
  const parts = /^\/(.+)\/([imsu]*)$/s.exec(text);
  return parts?.[1] === undefined ? undefined : new RegExp(parts[1], parts[2]);
};

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function matchText(expected: string, actual: unknown): boolean {
  const shape = shapes[expected];
  if (shape) return shape(actual);
  if (/^<\w+>$/.test(expected)) {
    throw new Error(`${expected} is no shape; known are ${Object.keys(shapes).join(' ')}`);
  }
  const regex = regexOf(expected);
  return regex ? typeof actual === 'string' && regex.test(actual) : actual === expected;
}

/** Returns the differences, one per line with its path; empty if the response is as expected. */
export function mismatches(expected: unknown, actual: unknown, path = 'body'): string[] {
  const off = (wanted = shown(expected)): string[] => [`${path}: expected ${wanted}, found ${shown(actual)}`];
  if (typeof expected === 'string') return matchText(expected, actual) ? [] : off();
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return off();
    if (actual.length !== expected.length) return off(`${expected.length} entries: ${shown(expected)}`);
    return expected.flatMap((item, index) => mismatches(item, actual[index], `${path}[${index}]`));
  }
  if (!isRecord(expected)) return expected === actual ? [] : off();
  if ('$contains' in expected) {
    const one = Array.isArray(actual) && actual.some((item) => mismatches(expected.$contains, item).length === 0);
    return one ? [] : off(`an entry like ${shown(expected.$contains)}`);
  }
  if ('$not' in expected) {
    return mismatches(expected.$not, actual).length > 0 ? [] : off(`anything but ${shown(expected.$not)}`);
  }
  if (!isRecord(actual)) return off();
  return Object.entries(expected).flatMap(([key, value]) => mismatches(value, actual[key], `${path}.${key}`));
}
