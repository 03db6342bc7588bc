/**
 * The same JSON in legal but unusual spacing and escapes, rightly signed over these bytes: a receiver that signs a
 * re-serialised object instead of the raw body finds itself out (contract §5, §8 certify).
 */
export function reformatted(body: string): string {
  const spaced = JSON.stringify(JSON.parse(body), null, 1).replace(/^ +/gm, (indent) => '\t'.repeat(indent.length));
  // Letters outside ASCII, and the slash, may be written as escapes; hardly any serialiser does so.
  return spaced
    .replace(/\//g, '\\/')
    .replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
