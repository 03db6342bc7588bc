/** YAML in colours, as light as it gets: keys, texts, numbers and comments of one line at a time. No parser: the sandbox judges. */
export type TokenKind = 'key' | 'text' | 'number' | 'comment' | 'plain';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const pattern =
  /(#.*$)|("(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?)|([\w.$+*-]+)(?=\s*:(?:\s|$))|((?<![\w+.-])[+-]?\d[\w.%]*(?![\w.-])|\b(?:true|false|null)\b)/g;

/** @returns the line cut into pieces; put together again they are the line */
export function highlightLine(line: string): Token[] {
  const tokens: Token[] = [];
  let from = 0;
  for (const match of line.matchAll(pattern)) {
    const [text, comment, quoted, key] = match;
    // A # within a word begins no comment.
    if (comment !== undefined && match.index > 0 && !/\s/.test(line[match.index - 1] ?? '')) continue;
    if (match.index > from) tokens.push({ kind: 'plain', text: line.slice(from, match.index) });
    const kind =
      comment !== undefined ? 'comment' : quoted !== undefined ? 'text' : key !== undefined ? 'key' : 'number';
    tokens.push({ kind, text });
    from = match.index + text.length;
  }
  if (from < line.length) tokens.push({ kind: 'plain', text: line.slice(from) });
  return tokens;
}
