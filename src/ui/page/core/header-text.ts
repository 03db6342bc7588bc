/** Encodes a header value in UTF-8, one character per byte: headers of `fetch` and of Python accept nothing else. */
export function headerText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
