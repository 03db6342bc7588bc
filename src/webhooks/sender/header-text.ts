/** What a header may be made of (RFC 9110 §5), of one byte a character: the same for what we write and for what we read. */

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const UNFIT = /[^\t\x20-\x7e\x80-\xff]/;

export function isHeaderName(text: string): boolean {
  return NAME.test(text);
}

export function isHeaderValue(text: string): boolean {
  return !UNFIT.test(text);
}

/** Name, in lower case, and value of a line; null when it is no header. */
export function headerOf(line: string): { readonly name: string; readonly value: string } | null {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
  const value = trimmed(line, colon + 1);
  return isHeaderName(name) && isHeaderValue(value) ? { name, value } : null;
}

/** Without blanks at both ends. A loop, because an expression for it takes quadratic time on a line of blanks. */
function trimmed(line: string, from: number): string {
  let [start, end] = [from, line.length];
  while (start < end && isBlank(line, start)) start += 1;
  while (end > start && isBlank(line, end - 1)) end -= 1;
  return line.slice(start, end);
}

function isBlank(line: string, at: number): boolean {
  return line[at] === ' ' || line[at] === '\t';
}
