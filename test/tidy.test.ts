/** What the repository promises about itself: who imports whom, no long file, no dead code. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src']).toString();
const files: SourceFile[] = [...new Set(tracked.split('\n'))]
  .filter((path) => /\.tsx?$/.test(path) && existsSync(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const architecture = readFileSync('ARCHITECTURE.md', 'utf8');

/** Area → the areas that it may import, from the lines with arrows, in their order. Its own area is always allowed. */
function readDirections(markdown: string): ReadonlyMap<string, ReadonlySet<string>> {
  const names = (list: string) => list.split(/[\s,]+/).filter((name) => name !== '' && name !== 'nothing');
  const lines = [...markdown.matchAll(/^([\w, -]+?) *→ *(.+?) *$/gm)];
  return new Map(
    lines.flatMap(([, from = '', to = '']) => names(from).map((area) => [area, new Set(names(to))] as const)),
  );
}

/** The top-level folder of src that a path lies in; a file directly in src counts by its own name without `.ts`. */
const areaOf = (path: string) => path.split('/')[1]?.replace(/\.(?:d\.)?(?:ts|js|json)$/, '') ?? '';

/** The paths that a file imports, as files of the project without their ending. */
function importsOf({ path, text }: SourceFile): string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => posix.join(posix.dirname(path), fileName));
}

/** One line for each import that no arrow allows, and for each area without a line. */
function wrongImports(file: SourceFile, directions: ReturnType<typeof readDirections>): string[] {
  const area = areaOf(file.path);
  const allowed = directions.get(area);
  if (allowed === undefined) return [`src/${area} has no line in the directions of ARCHITECTURE.md`];
  return importsOf(file)
    .filter((target) => target.startsWith('src/'))
    .map(areaOf)
    .filter((target) => target !== area && !allowed.has(target))
    .map(
      (target) =>
        `${file.path} imports from ${target}; ${area} may import ${[...allowed].join(', ') || 'nothing of ours'}`,
    );
}

/** Arrows to an area on the same or a later line: these point up. */
function arrowsUp(directions: ReturnType<typeof readDirections>): string[] {
  const floors = [...directions.keys()];
  return [...directions].flatMap(([area, targets]) =>
    [...targets]
      .filter((target) => !floors.slice(0, floors.indexOf(area)).includes(target))
      .map((target) => `${area} → ${target}`),
  );
}

describe('who may import whom', () => {
  it('is as ARCHITECTURE.md says', () => {
    expect(files.length).toBeGreaterThan(100);
    const directions = readDirections(architecture);
    expect(files.flatMap((file) => wrongImports(file, directions))).toStrictEqual([]);
  });

  it('no arrow points up', () => {
    expect(arrowsUp(readDirections(architecture))).toStrictEqual([]);
    expect(arrowsUp(readDirections('a → nothing\nb → a, c\nc → a'))).toStrictEqual(['b → c']);
  });

  it('each room has a row in ARCHITECTURE.md', () => {
    const rooms = new Set(files.map(({ path }) => areaOf(path)));
    const missing = [...rooms].filter((room) => !new RegExp(`\`${room}(?:/|\\.ts)\``).test(architecture));
    expect(missing).toStrictEqual([]);
  });
});

it('no file is longer than 250 lines: past that, two nouns share it', () => {
  const long = files.filter(({ text }) => text.split('\n').length - 1 > 250);
  expect(long.map(({ path }) => path)).toStrictEqual([]);
});

it('only src/time asks the machine for the time', () => {
  const asking = files.filter(
    ({ path, text }) => !/^src\/(time|ui\/page\/core\/browser)/.test(path) && /\bnew Date\(\)/.test(text),
  );
  expect(asking.map(({ path }) => path)).toStrictEqual([]);
});

describe('dead code', () => {
  // Reads the whole project, which takes its time on a busy machine.
  it('there is no file and no export that nothing uses', { timeout: 180_000 }, async () => {
    const args =
      '--include files,exports,types,enumMembers,duplicates --reporter symbols --no-progress --no-config-hints';
    const report = await new Promise((resolve, reject) => {
      execFile(process.execPath, ['node_modules/knip/bin/knip.js', ...args.split(' ')], (error, stdout, stderr) => {
        // 1 means: found something.
        if (error !== null && error.code !== 1) reject(new Error(`knip failed: ${stderr || error.message}`));
        else resolve(stdout.trim());
      });
    });
    expect(report, 'Delete what is listed; drop only its "export" where its own file still uses it.').toBe('');
  });
});
