/** The texts by which a rule can be found: of which the fact must have one, or the matcher does not fit. */
import { isPlainText, isRegexText, regexOf } from './matchers.js';
import { regexPieces } from './regex-pieces.js';
import type { FactName } from '../language/hooks.js';
import type { Matcher } from '../language/match-schema.js';

export interface RuleKey {
  readonly text: string;
  /** The whole of the fact, its beginning, a part of it, or a part of it in lower case. */
  readonly is: 'whole' | 'beginning' | 'part' | 'foldedPart';
}

/** Undefined when there are none that can be told. */
export function keysOf(matcher: Matcher | undefined, fact: FactName): readonly RuleKey[] | undefined {
  if (matcher === undefined) return undefined;
  const options = { slashesArePlain: fact === 'path' };
  if (typeof matcher === 'string') {
    if (isPlainText(matcher, options)) return [{ text: matcher, is: 'whole' }];
    const regex = isRegexText(matcher, options);
    return regex === undefined ? keysOfGlob(matcher) : keysOfRegex(regex);
  }
  if (Array.isArray(matcher)) return keysOfAll(matcher, fact);
  const { equals, contains, matches, any } = matcher;
  if (equals !== undefined) return [{ text: equals, is: 'whole' }];
  const byAny = any && keysOfAll(any, fact);
  if (byAny !== undefined) return byAny;
  if (contains !== undefined && contains !== '') return [{ text: contains, is: 'part' }];
  return matches === undefined ? undefined : keysOfRegex(regexOf(matches, options));
}

function keysOfGlob(glob: string): readonly RuleKey[] | undefined {
  const [first = '', ...rest] = glob.split('*');
  if (first !== '') return rest.length === 0 ? undefined : [{ text: first, is: 'beginning' }];
  const longest = rest.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
  return longest === '' ? undefined : [{ text: longest, is: 'part' }];
}

function keysOfRegex({ source, flags }: { source: string; flags: string }): readonly RuleKey[] | undefined {
  const found = regexPieces(source, flags);
  return found?.pieces.map((text) => ({ text, is: found.folded ? 'foldedPart' : 'part' }));
}

function keysOfAll(matchers: readonly Matcher[], fact: FactName): readonly RuleKey[] | undefined {
  const keys = matchers.map((one) => keysOf(one, fact));
  return keys.every((one) => one !== undefined) ? keys.flat() : undefined;
}
