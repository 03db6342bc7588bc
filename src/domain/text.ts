/** `1 job`, `2 jobs`, `0 deliveries`. */
export function counted(number: number, noun: string): string {
  if (number === 1) return `1 ${noun}`;
  return `${number} ${/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** The longest name that a sentence repeats completely, in UTF-16 units: enough for usual ids and template names. */
const longest = 100;

export function nameInWords(name: string): string {
  return name.length > longest ? `${Array.from(name.slice(0, longest)).slice(0, -1).join('')}…` : name;
}

/** Longer words are not typing errors, and comparing them would only take time. */
const longestWord = 64;

/**
 * The candidate that `word` most likely means: one that differs only in case and separators, an unfinished or overlong
 * form of it (`latency` for `latency_real`), or one with at most a third of its letters different. Undefined if none is
 * near.
 */
export function nearestWord(word: string, candidates: readonly string[]): string | undefined {
  if (word === '' || word.length > longestWord) return undefined;
  const plain = plainForm(word);
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = distanceTo(plain, plainForm(candidate));
    if (distance !== undefined && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

export function nearestFirst(word: string, candidates: readonly string[], count: number): string[] {
  const plain = plainForm(word.slice(0, longestWord));
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(plain, plainForm(candidate)) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate);
  return [...near, ...candidates.filter((candidate) => !near.includes(candidate))];
}

function plainForm(word: string): string {
  return word.toLowerCase().replace(/[\s_.-]/g, '');
}

/** Returns 0 for equal words, and more for different ones; undefined if they are too different. */
function distanceTo(word: string, candidate: string): number | undefined {
  if (word === candidate) return 0;
  if (word.length >= 3 && candidate.startsWith(word)) return 0.5;
  if (candidate.length >= 3 && candidate.length * 2.5 >= word.length && word.startsWith(candidate)) return 0.5;
  const edits = editDistance(word, candidate);
  // In a word of two letters, each letter counts: `if` is not `id`.
  return edits <= Math.floor(Math.max(word.length, candidate.length) / 3) ? edits : undefined;
}

/** Counts insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/**
 * Control characters, which are commands to a terminal, and marks that reverse the direction of writing, which make a
 * line look like another.
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

/** Ends with `…` if there is more. */
export function clipped(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}
