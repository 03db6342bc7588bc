/** Forms of values, against which globs and regular expressions are compared. */
import { isRegexText } from './regex.js';

/** Characters in a row that fit, can be missing, or can repeat. */
interface Part {
  readonly fits: (sign: string) => boolean;
  readonly isOptional: boolean;
  readonly repeats: boolean;
}

/** A form as a simple regular expression: characters, classes and escapes with `?`, `*`, `{n}` or `{n,m}`. */
function partsOf(form: string): Part[] {
  return [...form.matchAll(/(\[[^\]]*\]|\\.|[^\\])(?:([?*])|\{(\d+)(?:,(\d+))?\})?/gs)].flatMap(
    ([, sign = '', mark, least, most = least]) => {
      const one = new RegExp(`^${sign}$`, 's');
      const part = { fits: (text: string) => one.test(text), isOptional: mark !== undefined, repeats: mark === '*' };
      if (least === undefined) return [part];
      return Array.from({ length: Number(most) }, (_, index) => ({ ...part, isOptional: index >= Number(least) }));
    },
  );
}

export function globFitsForm(glob: string, form: string): boolean {
  const parts = partsOf(form);
  // The numbers of the parts that can come next.
  const reached = (from: Iterable<number>): Set<number> => {
    const all = new Set<number>();
    for (let at of from) {
      all.add(at);
      while (parts[at]?.isOptional === true) all.add((at += 1));
    }
    return all;
  };
  let now = reached([0]);
  for (const sign of glob) {
    const next: number[] = [];
    for (const at of now) {
      if (sign === '*') next.push(...Array.from({ length: parts.length - at + 1 }, (_, more) => at + more));
      else if (parts[at]?.fits(sign) === true) next.push(...(parts[at].repeats ? [at, at + 1] : [at + 1]));
    }
    now = reached(next);
  }
  return now.has(parts.length);
}

/** Returns a glob that matches at least what an expression matches: `/^0012.*7/` → `0012*`; undefined for `*`. */
export function globOfRegex(text: string, options: { readonly slashesArePlain?: boolean } = {}): string | undefined {
  const { source, flags = '' } = isRegexText(text, options) ?? {};
  if (source === undefined || source.includes('|') || flags.includes('i')) return undefined;
  const [, begin, end] = /^\^((?:(?:[\w :,;@=<>#&%~"'!/-]|\\[^\w\s])(?![?*+{]))*)(\$$)?/.exec(source) ?? [];
  if (begin === undefined) return undefined;
  return `${begin.replace(/\\(.)/gs, '$1')}${end === undefined ? '*' : ''}`;
}
