/**
 * Makes text from a server, a receiver or a file harmless for a terminal. Removes control characters, which are
 * commands, and marks that reverse the direction of writing, which make a line look like another.
 */
const commands = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes them as `\uXXXX`, so that JSON stays the same JSON. Line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replace(commands, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Replaces each of them, and line breaks, by a dot, and tabs by spaces: the result is one line of the same length. */
export function printableLine(text: string): string {
  return text.replace(/\t/g, ' ').replace(/\n/g, '\u00b7').replace(commands, '\u00b7');
}
