/** Conditions that a text, a glob or an expression alone says: `{ equals: refund }`, `{ matches: ^A }`. */
import type { Report } from './problems.js';
import { isRegexText } from './regex.js';

/** Returns a scalar without its quotes; undefined for a list or mapping. */
function unquoted(source: string): string | undefined {
  if (/^"(?:[^"\\]|\\.)*"$/s.test(source)) return parseJson(source);
  if (/^'.*'$/s.test(source)) return source.slice(1, -1).replaceAll("''", "'");
  return /^(?:$|[\[{*&|>])/.test(source) ? undefined : source;
}

function parseJson(source: string): string | undefined {
  try {
    return JSON.parse(source) as string;
  } catch {
    return undefined;
  }
}

/** Writes a text so that it can stand in braces. */
const inBraces = (value: string): string =>
  /[^\w/^$.+*?()|\\-]/.test(value) ? `'${value.replaceAll("'", "''")}'` : value;

/** `{ equals: a*b }` → `/^a\*b$/`; a text without special characters is itself. */
function exactly(source: string): string | undefined {
  const value = unquoted(source);
  if (value === undefined || value === '') return undefined;
  const isPlain = !value.includes('*') && !value.startsWith('/') && !/^[1-5]xx$/i.test(value);
  return isPlain ? source : inBraces(`/^${value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$/`);
}

/** `{ matches: ^A }` → `/^A/`. */
function expression(source: string): string | undefined {
  const value = unquoted(source);
  if (value === undefined || value === '') return undefined;
  return isRegexText(value) === undefined
    ? inBraces(`/${value.replace(/\\.|\//gs, (one) => (one === '/' ? '\\/' : one))}/`)
    : source;
}

/** `{ contains: a }` → `'*a*'` */
function part(source: string): string | undefined {
  const value = unquoted(source);
  return value === undefined || /^$|\*/.test(value) ? undefined : `'*${value.replaceAll("'", "''")}*'`;
}

/** Beside other conditions, there is nothing to write instead. */
const noKey = (): Report => ({
  code: 'other_form',
  message: 'Write the text, the glob, the /regex/ or the list itself, without a key.',
  allowed: 'a text, a * glob, a /regex/ or a list of them',
});

const says: Readonly<Record<string, (source: string) => string | undefined>> = {
  equals: exactly,
  is: exactly,
  matches: expression,
  regex: expression,
  pattern: expression,
  contains: part,
  any: (source) => (source.startsWith('[') ? source : undefined),
  missing: (source) => (source === 'true' ? '{ not: "*" }' : source === 'false' ? '"*"' : undefined),
};

/** What to write instead of them: without braces, or what to say beside other conditions. */
export const oldConditions = {
  alone: says,
  old: Object.fromEntries(Object.keys(says).map((key) => [key, noKey])),
};
