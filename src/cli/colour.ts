/** Whether a stream may carry colour: only a terminal, and only when nobody objects (https://no-color.org). */
export function mayColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  const refused = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  return stream.isTTY === true && !refused && env['TERM'] !== 'dumb';
}
