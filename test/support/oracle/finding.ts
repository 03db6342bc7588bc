/** An error in one response or event, and its place. */

/** One place that violates the document. */
export interface Finding {
  /** `status`, `header NAME`, or a path into the body such as `body.error.code`. */
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

/** A JSON pointer below a body as a dotted path: `/items/0/id` → `body.items[0].id`. */
export function placeOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .reduce((place, part) => {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      return /^\d+$/.test(name) ? `${place}[${name}]` : `${place}.${name}`;
    }, 'body');
}

/** The value at a JSON pointer, or undefined. */
export function valueAt(body: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, part) => {
      if (typeof value !== 'object' || value === null) return undefined;
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
      return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
    }, body);
}

const longestShown = 200;

/** Formats a value for people; a long one is truncated. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}… (${text.length} characters)` : text;
}
