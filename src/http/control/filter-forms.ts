/** Ways in which a filter is spelled and matched. */
import { languageKey } from '../../domain/template.js';
import { compileGlob } from '../../scenario/engine/matchers.js';
import type { Filter } from './filters.js';
import { phone as phoneOf } from './listing.js';

export const plainPhone = { plain: phoneOf };
export const plainLanguage = { plain: languageKey };
export const glob = { matcher: (wanted: string) => (wanted.includes('*') ? compileGlob(wanted) : null) };
export const httpStatus = {
  form: { pattern: /^[1-5](\d\d|xx)$/, allowed: 'an HTTP status such as 404, or a class such as 4xx' },
  matcher: (wanted: string) => (wanted.endsWith('xx') ? (found: string) => found.startsWith(wanted.charAt(0)) : null),
};
export const decidedBy = ['header', 'rule', 'magic', 'default'];
export const yesOrNo = ['true', 'false'];

/** Of the filters those that are named and to be taken literally, which an index can answer. */
export function exact(filter: Filter, names: readonly string[]): { part: Filter; covers: readonly string[] } {
  const part = Object.fromEntries(
    names.flatMap((name) => {
      const value = filter[name];
      return value === undefined || /\*|xx$/.test(value) ? [] : [[name, value]];
    }),
  );
  return { part, covers: Object.keys(part) };
}
