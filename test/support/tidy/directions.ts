import { posix } from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './source-files.js';

/** Area of src → the areas that it may import; `*` among them means any. Its own area is always allowed. */
export type Directions = ReadonlyMap<string, ReadonlySet<string>>;

const ARROW = /^([\w, /-]+?)\s*→\s*(.+?)\s*$/;
const NOTHING = 'nothing';

/**
 * Reads the directions from the only fenced block with arrows in a Markdown text, one per line: `operations → domain,
 * store`, `cli, testing → sandbox`, `sandbox → *`, `domain → nothing`.
 * @throws Error if there is no such block, or a line cannot be parsed
 */
export function readDirections(markdown: string): Directions {
  const blocks = [...markdown.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].map(([, body = '']) => body);
  const block = blocks.find((body) => body.split('\n').some((line) => ARROW.test(line)));
  if (block === undefined) {
    throw new Error('No fenced block with arrows found. Write one with lines such as "operations → domain, store".');
  }
  const directions = new Map<string, Set<string>>();
  for (const line of block.split('\n')) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const [, from, to] = ARROW.exec(line) ?? [];
    if (from === undefined || to === undefined) {
      throw new Error(`"${line}" is no direction. Write it as "operations → domain, store" or "domain → nothing".`);
    }
    for (const area of names(from)) {
      const allowed = directions.get(area) ?? new Set();
      for (const name of names(to)) if (name !== NOTHING) allowed.add(name);
      directions.set(area, allowed);
    }
  }
  return directions;
}

function names(list: string): string[] {
  return list.split(/[\s,]+/).filter((name) => name !== '');
}

/** The interface of an account lies lower in the house than the folder that builds it. */
const filesOfTheirOwn: ReadonlySet<string> = new Set(['account/account', 'account/set-up']);

/**
 * The top-level folder of src that a path lies in; a file directly in src counts by its own name without `.ts`.
 * The folders of `scenario/` are areas of their own: its language and engine lie low in the house, its runtime high.
 */
export function areaOf(path: string): string {
  const [, top = '', second = ''] = path.replace(/\.(?:d\.)?ts$/, '').split('/');
  const both = `${top}/${second}`;
  return top === 'scenario' || filesOfTheirOwn.has(both) ? both : top;
}

/** One line for each import that no arrow allows, and for each area that has no line of its own. */
export function wrongImports(files: readonly SourceFile[], directions: Directions): string[] {
  const complaints = new Set<string>();
  for (const { path, text } of files) {
    const area = areaOf(path);
    const allowed = directions.get(area);
    if (allowed === undefined) {
      complaints.add(`src/${area} has no line in the directions of ARCHITECTURE.md. Add "${area} → …" there.`);
      continue;
    }
    for (const target of importedAreas(path, text)) {
      if (target === area || allowed.has(target) || allowed.has('*')) continue;
      const list = [...allowed].sort().join(', ');
      complaints.add(
        `${path} imports from ${target}, but ${area} may import ${list === '' ? 'nothing of ours' : `only ${list}`}. ` +
          `Have sandbox.ts hand it in, move what both need into an area both may import, ` +
          `or add the arrow to ARCHITECTURE.md with its reason.`,
      );
    }
  }
  return [...complaints];
}

/** Areas named by any kind of import: static, dynamic, of types, and re-exports. */
function importedAreas(path: string, text: string): string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(path), name))
    .filter((target) => target.startsWith('src/'))
    .map((target) => areaOf(target.replace(/\.(?:js|json)$/, '')));
}
