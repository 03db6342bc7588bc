/** The longest name that a sentence repeats completely, in UTF-16 units: enough for usual ids and template names. */
const longest = 100;

/** Returns a caller's name or id for a sentence; of one that is too long, only the beginning. */
export function nameInWords(name: string): string {
  return name.length > longest ? `${Array.from(name.slice(0, longest)).slice(0, -1).join('')}…` : name;
}
