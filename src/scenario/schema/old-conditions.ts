/** Conditions that a text or an expression alone says: `{ equals: refund }`, `{ matches: ^A }`. */
import type { Form } from './kit.js';
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

/** Beside other conditions, a text or expression is a list of one. */
const oneOfThem = (value: string | undefined): string | Report =>
  value === undefined
    ? {
        code: 'other_form',
        message: 'Write the text or the /regex/ itself, without a key.',
        allowed: 'a text, a * glob or a /regex/',
      }
    : `any: [${value}]`;

const says: Readonly<Record<string, (source: string) => string | undefined>> = {
  equals: exactly,
  is: exactly,
  matches: expression,
  regex: expression,
  pattern: expression,
};

/** What to write instead of them, without braces or beside other conditions. */
export const oldConditions = {
  alone: says,
  forms: Object.fromEntries(
    Object.entries(says).map(([key, now]): [string, Form] => [key, (source) => oneOfThem(now(source))]),
  ),
};
