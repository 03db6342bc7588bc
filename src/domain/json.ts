/**
 * `JSON.stringify` runs out of stack after several thousand levels, which JSON.parse accepts. The journal, the log and
 * every list with such a value would then fail permanently.
 */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maximum number of levels of arrays and objects in a request. The interface document needs fewer than ten. */
export const deepestBody = 100;

/** Values of a JSON text that may be parsed: a snapshot of 64 MB has half as many, and takes a quarter of a GB. */
const mostValues = 4_000_000;

export function hasTooManyValues(text: Uint8Array): boolean {
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === 0x22) for (at += 1; at < text.length && text[at] !== 0x22; at += 1) if (text[at] === 0x5c) at += 1;
    if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values += 1;
    if (values > mostValues) return true;
  }
  return false;
}

/** Counts levels of arrays and objects. The text need not be valid JSON. */
export function isDeeper(text: Uint8Array, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case 0x22: // "
        for (at += 1; at < text.length && text[at] !== 0x22; at += 1) if (text[at] === 0x5c) at += 1;
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > most) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      default:
    }
  }
  return false;
}

export function isShallow(value: unknown, most = deepestBody): boolean {
  // Checked level by level instead of recursively, because the depth is unknown.
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) return false;
    const inner: object[] = [];
    for (const container of level) {
      for (const item of Object.values(container) as unknown[]) if (isContainer(item)) inner.push(item);
    }
    level = inner;
  }
  return true;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
