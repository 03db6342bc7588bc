/** Globs: `*` stands for any characters, none included; nothing else is special (contract §5, matchers). */

/** Compares piece by piece from the left: no backtracking, so no text can make it slow. */
export function compileGlob(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  const middle = rest.filter((piece) => piece !== '');
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let from = first.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, from);
      if (found === -1 || found + piece.length > end) return false;
      from = found + piece.length;
    }
    return true;
  };
}
