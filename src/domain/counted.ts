/** `1 job`, `2 jobs`, `0 deliveries`. */
export function counted(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
