/** Changes of the author's text. */
import { yaml } from '../../domain/yaml.js';
import type { Edit } from '../schema/problems.js';

/** Returns the change that puts a text in place of another one; undefined if that is on several lines. */
export function replacement(whole: string, [start, stop]: readonly number[], text: string): Edit | undefined {
  const from = start ?? 0;
  const written = whole.slice(from, stop).trimEnd();
  if (/[\r\n]/.test(written)) return undefined;
  const before = whole.slice(lineStartOf(whole, from), from);
  const gap = written === '' && !/\s$/.test(before) && before !== '' ? ' ' : '';
  return { from, to: from + written.length, text: gap + text };
}

/** Returns the offset at which the line begins. */
export function lineStartOf(whole: string, offset: number): number {
  return Math.max(whole.lastIndexOf('\n', offset - 1), whole.lastIndexOf('\r', offset - 1)) + 1;
}

/** Returns the line from the offset to its end, at most 400 characters of it. */
export function restOfLine(text: string, offset: number): string {
  return /^[^\r\n]{0,400}/.exec(text.slice(offset, offset + 400))?.[0] ?? '';
}

/** Returns a value, or `key: value` without braces, as JSON. */
export function asJson(fragment: string): string {
  const isEntry = /^[\w-]+: /.test(fragment);
  const document = yaml().parseDocument(isEntry ? `{ ${fragment} }` : fragment, { schema: 'core' });
  yaml().visit(document, {
    // `+12025550123` is a text.
    Scalar(_key, scalar) {
      if (typeof scalar.value === 'number' && String(scalar.value) !== scalar.source) scalar.value = scalar.source;
    },
  });
  const json = JSON.stringify(document.toJS(), null, 1).replace(/\n\s*/g, ' ');
  return isEntry ? json.slice(2, -2) : json;
}
