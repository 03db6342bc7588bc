/** The longest name that a sentence repeats in full, in UTF-16 units: ids and template names of everyday use. */
const longest = 100;

/** A name or id that a caller gave, for a sentence: of one that is far too long, how it begins. */
export function nameInWords(name: string): string {
  return name.length > longest ? `${Array.from(name.slice(0, longest)).slice(0, -1).join('')}…` : name;
}
