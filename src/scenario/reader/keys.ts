/** Reports keys of a mapping that are unknown, missing or too many. */
import { listed } from './synonyms.js';
import type { Entry, YamlNode } from './yaml-node.js';

/** @param meant the key that was probably meant */
export function reportKey({ key, keyPlace, value }: Entry, words: readonly string[], meant: string | undefined): void {
  const name = `"${key.slice(0, 80)}"`;
  const slip = colonSlip(key, words);
  if (slip !== undefined) {
    const { word, rest } = slip;
    keyPlace.report({
      code: 'colon_missing',
      message: `The colon after "${word}", or the space after the colon, is missing.`,
      found: name,
      allowed: `${word}: VALUE`,
      replacement: `${word}: ${rest}`,
    });
    return;
  }
  let why = '';
  if (key === '<<') why = ' YAML 1.2 has no merge keys.';
  // In braces, a comma ends a text, and what follows looks like a key without a value.
  else if (meant === undefined && value.node === null) why = ' In braces, put a text that contains a comma in quotes.';
  keyPlace.report({
    code: 'unknown_key',
    message: `Unknown key ${name}.${why}`,
    found: name,
    allowed: listed(key, words).join(', '),
    ...(meant !== undefined && { suggestion: meant }),
  });
}

/** Returns the known word that a key begins with, if only a colon is missing: `then { lifecycle`, `when message.send`. */
export function colonSlip(key: string, words: readonly string[]): { word: string; rest: string } | undefined {
  const [, word = '', rest = ''] = /^(\w+)(?::|\s+)(.*)$/.exec(key) ?? [];
  return words.includes(word) ? { word, rest } : undefined;
}

/**
 * Reports if none or too many of certain keys are present.
 * @param exampleFor returns a key with a valid value
 */
export function reportPresence(
  place: YamlNode,
  has: (key: string) => boolean,
  { exactlyOne, atLeastOne }: { readonly exactlyOne?: readonly string[]; readonly atLeastOne?: readonly string[] },
  exampleFor: (key: string) => string,
): void {
  const present = exactlyOne?.filter(has) ?? [];
  if (exactlyOne !== undefined && present.length !== 1) {
    const words = exactlyOne.join(', ');
    const message =
      present.length === 0 ? `Exactly one of ${words} is required.` : `Only one of ${present.join(', ')} is allowed.`;
    const example = present.length === 0 ? { example: exampleFor(exactlyOne[0] ?? '') } : {};
    place.report({ code: 'not_exactly_one', message, allowed: `exactly one of ${words}`, ...example });
  }
  if (atLeastOne !== undefined && !atLeastOne.some(has)) {
    const words = atLeastOne.join(', ');
    const message = `At least one of ${words} is required.`;
    place.report({ code: 'nothing_stated', message, allowed: words, example: exampleFor(atLeastOne[0] ?? '') });
  }
}
