/** Number of single-character edits that turn one word into the other. */
function distance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/**
 * The known word that was most likely meant, or undefined when none is near: more than a third of the letters would
 * have to change. Words over 100 characters are nobody's slip and are not compared.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 100) return undefined;
  const ranked = known.map((candidate) => ({ candidate, edits: distance(word, candidate) }));
  const best = ranked.sort((a, b) => a.edits - b.edits)[0];
  return best && best.edits <= Math.max(2, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined;
}
