/** What is said about the keys of a mapping: unknown ones, and those that are missing or too many. */
import type { Entry, YamlNode } from './yaml-node.js';

/** @param meant the key that this one most likely stands for */
export function complainOfKey(
  { key, keyPlace, value }: Entry,
  words: readonly string[],
  meant: string | undefined,
): void {
  const name = `"${key.slice(0, 80)}"`;
  let why = '';
  if (key === '<<') why = ' YAML 1.2 has no merge keys.';
  // A comma ends a text inside braces, and what follows it looks like a key that has no value.
  else if (meant === undefined && value.node === null) why = ' A text with a comma in it stands in quotes here.';
  keyPlace.report({
    code: 'unknown_key',
    message: `The key ${name} is not known here.${why}`,
    found: name,
    allowed: words.join(', '),
    ...(meant !== undefined && { suggestion: meant }),
  });
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
    const insert = present.length === 0 ? { insert: exampleFor(exactlyOne[0] ?? '') } : {};
    place.report({ code: 'not_exactly_one', message, allowed: `exactly one of ${words}`, ...insert });
  }
  if (atLeastOne !== undefined && !atLeastOne.some(has)) {
    const words = atLeastOne.join(', ');
    const message = `At least one of ${words} must stand here.`;
    place.report({ code: 'nothing_stated', message, allowed: words, insert: exampleFor(atLeastOne[0] ?? '') });
  }
}
