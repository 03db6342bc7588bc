/** Compares two texts line by line; JSON is indented first. */
import { structuredPatch } from 'diff';

export interface Line {
  readonly kind: 'same' | 'removed' | 'added' | 'skipped';
  readonly text: string;
}

export interface Difference {
  /** `same`: the texts are identical. `equal`: they are the same JSON, written differently. */
  readonly result: 'same' | 'equal' | 'different' | 'too-large';
  readonly lines: readonly Line[];
}

/** Number of unchanged lines shown around a change. */
const context = 4;
/** With more changed lines than this, a comparison does not help the reader. */
const mostChanges = 2000;

export function differenceOf(left: string, right: string): Difference {
  if (left === right) return { result: 'same', lines: [] };
  const [before, after] = [indented(left), indented(right)];
  const equal = before === after;
  const [from, to] = equal ? [left, right] : [before, after];
  const patch = structuredPatch('', '', `${from}\n`, `${to}\n`, '', '', { context, maxEditLength: mostChanges });
  if (!patch) return { result: 'too-large', lines: [] };
  const lines: Line[] = [];
  let next = 1;
  for (const { oldStart, oldLines, lines: changed } of patch.hunks) {
    if (oldStart > next) lines.push(skipped(oldStart - next));
    lines.push(...changed.map(lineOf));
    next = oldStart + oldLines;
  }
  const rest = from.split('\n').length + 1 - next;
  if (rest > 0) lines.push(skipped(rest));
  return { result: equal ? 'equal' : 'different', lines };
}

function skipped(count: number): Line {
  return { kind: 'skipped', text: `${count} unchanged ${count === 1 ? 'line' : 'lines'}` };
}

function lineOf(line: string): Line {
  return { kind: line.startsWith('-') ? 'removed' : line.startsWith('+') ? 'added' : 'same', text: line.slice(1) };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
