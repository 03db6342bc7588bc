/** Finds the path of a position in a YAML text, even if the text is incomplete. */

export interface YamlPlace {
  /** The keys that enclose the position; `[]` for an item of a sequence. */
  readonly path: readonly string[];
  /** Whether a value is expected there, rather than a key. */
  readonly inValue: boolean;
  /** Where the word at the position begins. */
  readonly from: number;
}

interface Level {
  readonly indent: number;
  readonly key: string;
}

const keyForm = /^(?:"[^"]*"|'[^']*'|[^\s:#,[\]{}"'&*!|>%@`-][^:#,[\]{}]*|-[^\s:,[\]{}][^:#,[\]{}]*)(?=\s*:(?:\s|$))/;

/** @param at position in characters */
export function yamlPlace(text: string, at: number): YamlPlace {
  const lines = text.slice(0, at).split('\n');
  const levels: Level[] = [];
  const flow: string[] = [];
  let inValue = false;
  lines.forEach((line, index) => {
    const last = index === lines.length - 1;
    const content = withoutComment(line);
    if (content.trim() === '' && !last) return;
    if (flow.length > 0) {
      inValue = readFlow(content, flow) ?? inValue;
      return;
    }
    inValue = false;
    let indent = content.length - content.trimStart().length;
    let rest = content.slice(indent);
    for (let dash = /^-(\s+|$)/.exec(rest); dash; dash = /^-(\s+|$)/.exec(rest)) {
      leave(levels, ({ indent: other, key }) => other > indent || (other === indent && key === '[]'));
      levels.push({ indent, key: '[]' });
      indent += dash[0].length;
      rest = rest.slice(dash[0].length);
      inValue = true;
    }
    leave(levels, (level) => level.indent > indent || (level.indent === indent && !(level.key === '[]' && inValue)));
    const key = keyForm.exec(rest)?.[0];
    if (key !== undefined) {
      levels.push({ indent, key: unquoted(key) });
      rest = rest.slice(key.length).replace(/^\s*:\s*/, '');
      inValue = true;
    } else if (/^[\w.]*$/.test(rest)) {
      // A word without a colon may become a key, also after a dash.
      inValue = false;
    }
    inValue = readFlow(rest, flow) ?? inValue;
  });
  const word = /[\w.$+-]*$/.exec(text.slice(0, at))?.[0] ?? '';
  return { path: [...levels.map(({ key }) => key), ...keysOf(flow)], inValue, from: at - word.length };
}

function leave(levels: Level[], ended: (level: Level) => boolean): void {
  for (let top = levels.at(-1); top !== undefined && ended(top); top = levels.at(-1)) levels.pop();
}

/**
 * Parses flow style such as `{ a: { b: 1 }, c: [`. `flow` has an entry for each open bracket, and the key after it.
 * @returns whether a value is expected at the end; undefined outside of brackets
 */
function readFlow(text: string, flow: string[]): boolean | undefined {
  const pieces = text.match(/"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|[{}[\],:]|[^{}[\],:"'\s]+/g) ?? [];
  let word = '';
  for (const piece of pieces) {
    if (piece === '{' || piece === '[') flow.push(piece);
    else if (piece === '}' || piece === ']') {
      while (flow.length > 0 && flow.at(-1) !== '{' && flow.at(-1) !== '[') flow.pop();
      flow.pop();
    } else if (flow.length === 0) continue;
    else if (piece === ',') {
      if (flow.at(-1) !== '{' && flow.at(-1) !== '[') flow.pop();
    } else if (piece === ':' && flow.at(-1) === '{') flow.push(unquoted(word));
    word = piece;
  }
  const top = flow.at(-1);
  return top === undefined ? undefined : top !== '{';
}

function keysOf(flow: readonly string[]): string[] {
  return flow.flatMap((entry) => (entry === '{' ? [] : entry === '[' ? ['[]'] : [entry]));
}

function withoutComment(line: string): string {
  const hash = /(?:^|\s)#/.exec(line);
  return hash && !/["'/]/.test(line.slice(0, hash.index)) ? line.slice(0, hash.index) : line;
}

const unquoted = (key: string): string => key.trim().replace(/^["'](.*)["']$/, '$1');
