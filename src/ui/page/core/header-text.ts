/** Returns a header value as its UTF-8 bytes, a character each: headers of `fetch` and of Python take nothing else. */
export function headerText(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
