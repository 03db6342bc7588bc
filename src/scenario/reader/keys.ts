/** What is said about the keys of a mapping: unknown ones, and those that are missing or too many. */
import { listed } from './synonyms.js';
import type { Entry, YamlNode } from './yaml-node.js';

/** @param meant the key that this one most likely stands for */
export function complainOfKey(
  { key, keyPlace, value }: Entry,
  words: readonly string[],
  meant: string | undefined,
): void {
  const name = `"${key.slice(0, 80)}"`;
  const slip = colonSlip(key, words);
  if (slip !== undefined) {
    const { word, rest } = slip;
    keyPlace.report({
      code: 'colon_missing',
      message: `After "${word}" the colon, or the space behind it, is missing.`,
      found: name,
      allowed: `${word}: VALUE`,
      replacement: `${word}: ${rest}`,
    });
    return;
  }
  let why = '';
  if (key === '<<') why = ' YAML 1.2 has no merge keys.';
  // A comma ends a text inside braces, and what follows it looks like a key that has no value.
  else if (meant === undefined && value.node === null) why = ' A text with a comma in it stands in quotes here.';
  keyPlace.report({
    code: 'unknown_key',
    message: `The key ${name} is not known here.${why}`,
    found: name,
    allowed: listed(key, words).join(', '),
    ...(meant !== undefined && { suggestion: meant }),
  });
}

/** The known word with which a key begins, where only a colon is missing: `then { lifecycle`, `when message.send`. */
export function colonSlip(key: string, words: readonly string[]): { word: string; rest: string } | undefined {
  const [, word = '', rest = ''] = /^(\w+)(?::|\s+)(.*)$/.exec(key) ?? [];
  return words.includes(word) ? { word, rest } : undefined;
}

/**
 * Complains when none of some keys, or too many of them, are there.
 * @param exampleFor a key with a value, as an author would write them
 */
export function complainOfPresence(
  place: YamlNode,
  has: (key: string) => boolean,
  { exactlyOne, atLeastOne }: { readonly exactlyOne?: readonly string[]; readonly atLeastOne?: readonly string[] },
  exampleFor: (key: string) => string,
): void {
  const present = exactlyOne?.filter(has) ?? [];
  if (exactlyOne !== undefined && present.length !== 1) {
    const words = exactlyOne.join(', ');
    const message =
      present.length === 0 ? `One of ${words} must stand here.` : `Only one of ${present.join(', ')} can stand here.`;
    const example = present.length === 0 ? { example: exampleFor(exactlyOne[0] ?? '') } : {};
    place.report({ code: 'not_exactly_one', message, allowed: `exactly one of ${words}`, ...example });
  }
  if (atLeastOne !== undefined && !atLeastOne.some(has)) {
    const words = atLeastOne.join(', ');
    const message = `At least one of ${words} must stand here.`;
    place.report({ code: 'nothing_stated', message, allowed: words, example: exampleFor(atLeastOne[0] ?? '') });
  }
}
