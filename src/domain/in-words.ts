/** Numbers and names in sentences. */

/** `1 job`, `2 jobs`, `0 deliveries`. */
export function counted(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** The longest name that a sentence repeats completely, in UTF-16 units: enough for usual ids and template names. */
const longest = 100;

/** Returns a caller's name or id for a sentence; of one that is too long, only the beginning. */
export function nameInWords(name: string): string {
  return name.length > longest ? `${Array.from(name.slice(0, longest)).slice(0, -1).join('')}…` : name;
}
