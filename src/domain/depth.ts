/**
 * Limits how deep a value may be nested. JSON of any depth can be read, but not written again: `JSON.stringify` runs
 * out of stack after several thousand levels, and then the journal, the log and every list that shows the value would
 * fail permanently.
 */

/** The most levels of arrays and objects in a request. The interface document needs fewer than ten. */
export const deepestBody = 100;

/** Whether there are at most so many levels of arrays and objects; a plain value has none. */
export function isShallow(value: unknown, most = deepestBody): boolean {
  // Checked level by level and not by recursion, because the depth is unknown.
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
