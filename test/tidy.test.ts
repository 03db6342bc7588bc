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

function filesBelow(...folders: readonly string[]): SourceFile[] {
  const tracked = execFileSync('git', [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    ...folders,
  ]).toString();
  return [...new Set(tracked.split('\n'))]
    .filter((path) => /\.tsx?$/.test(path) && existsSync(path))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

const files = filesBelow('src');
const architecture = readFileSync('ARCHITECTURE.md', 'utf8');

/** Area → the areas that it may import, from the lines with arrows, in their order. Its own area is always allowed. */
function readDirections(markdown: string): ReadonlyMap<string, ReadonlySet<string>> {
  const names = (list: string) => list.split(/[\s,]+/).filter((name) => name !== '' && name !== 'nothing');
  const lines = [...markdown.matchAll(/^([\w, /-]+?) *→ *(.+?) *$/gm)];
  return new Map(
    lines.flatMap(([, from = '', to = '']) => names(from).map((area) => [area, new Set(names(to))] as const)),
  );
}

/** The top-level folder of src that a path lies in; a file directly in src counts by its own name without `.ts`. */
const roomOf = (path: string) => path.split('/')[1]?.replace(/\.(?:d\.)?(?:ts|js|json)$/, '') ?? '';

/** A folder in a room is an area of its own if it has a line. */
function areaOf(path: string, directions: ReturnType<typeof readDirections>): string {
  const inner = path.split('/').slice(1, 3).join('/');
  return directions.has(inner) ? inner : roomOf(path);
}

/** The files of the project that a file imports, by path without ending. */
function importsOf({ path, text }: SourceFile): string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => withoutEnding(posix.join(posix.dirname(path), fileName)));
}

const withoutEnding = (path: string) => path.replace(/\.[jt]sx?$/, '');

/** The files from which a chain of imports leads back to themselves, with the files of their circles that they import. */
function circlesOf(all: readonly SourceFile[]): string[] {
  const imports = new Map(all.map((file) => [withoutEnding(file.path), importsOf(file)] as const));
  const reached = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const open = [...(imports.get(from) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(imports.get(next) ?? []));
    }
    return seen;
  };
  const reach = new Map([...imports.keys()].map((file) => [file, reached(file)] as const));
  return [...imports].flatMap(([file, targets]) => {
    const back = targets.filter((target) => reach.get(target)?.has(file) === true || target === file);
    return back.length === 0 ? [] : [`${file} → ${back.join(', ')}`];
  });
}

/** One line for each import that no arrow allows, and for each area without a line. */
function wrongImports(file: SourceFile, directions: ReturnType<typeof readDirections>): string[] {
  const area = areaOf(file.path, directions);
  const allowed = directions.get(area);
  if (allowed === undefined) return [`src/${area} has no line in the directions of ARCHITECTURE.md`];
  return importsOf(file)
    .filter((target) => target.startsWith('src/'))
    .map((target) => areaOf(target, directions))
    .filter((target) => target !== area && !allowed.has(target) && !allowed.has(roomOf(`src/${target}`)))
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

/** Arrows from the rooms above the door to those that the heading above them names. */
function arrowsThroughTheDoor(markdown: string): string[] {
  const [, names = '', above = ''] = /^# Above the door\. No ([\w, ]+) from here on\.\n(.*)/ms.exec(markdown) ?? [];
  const below = names.split(/, | or /);
  return [...readDirections(above)].flatMap(([room, targets]) =>
    below.filter((name) => targets.has(name)).map((name) => `${room} → ${name}`),
  );
}

describe('who may import whom', () => {
  it('is as ARCHITECTURE.md says', () => {
    expect(files.length).toBeGreaterThan(100);
    const directions = readDirections(architecture);
    expect(files.flatMap((file) => wrongImports(file, directions))).toStrictEqual([]);
    const inner = readDirections('a/b → nothing\na/c → a/b\na → a/b\nd → a');
    const wrong = (from: string, to: string) =>
      wrongImports({ path: `src/${from}/x.ts`, text: `import '${to}/y.js';` }, inner).length;
    expect([wrong('a/b', '../c'), wrong('a', './c'), wrong('a/c', '../b'), wrong('d', '../a/c')]).toEqual([1, 1, 0, 0]);
  });

  it('no arrow points up', () => {
    expect(arrowsUp(readDirections(architecture))).toStrictEqual([]);
    expect(arrowsUp(readDirections('a → nothing\nb → a, c\nc → a'))).toStrictEqual(['b → c']);
  });

  it('no room above the door imports what is below it', () => {
    expect(arrowsThroughTheDoor(architecture)).toStrictEqual([]);
    const rooms = 'a, b → nothing\n# Above the door. No a or b from here on.\nc → a';
    expect(arrowsThroughTheDoor(rooms)).toStrictEqual(['c → a']);
  });

  it('no files import each other in a circle', () => {
    expect(circlesOf(filesBelow('src', 'bench'))).toStrictEqual([]);
    const file = (path: string, target: string) => ({ path, text: `import './${target}.js';` });
    expect(circlesOf([file('a.ts', 'b'), file('b.ts', 'c'), file('c.ts', 'b')])).toStrictEqual(['b → c', 'c → b']);
  });

  it('each room has a row in ARCHITECTURE.md', () => {
    const rooms = new Set(files.map(({ path }) => roomOf(path)));
    const missing = [...rooms].filter((room) => !new RegExp(`\`${room}(?:/|\\.ts)\``).test(architecture));
    expect(missing).toStrictEqual([]);
  });
});

/** Room → its lines in the table of ARCHITECTURE.md. */
function readSizes(markdown: string): ReadonlyMap<string, number> {
  const rows = [...markdown.matchAll(/^\| `(\w+)\/` +\| +([\d,]+) +\|/gm)];
  return new Map(rows.map(([, room = '', lines = '']) => [room, Number(lines.replace(',', ''))]));
}

/** What a room may have more or fewer lines than its number, before that has to be changed. */
const mayGrow = (lines: number) => Math.max(30, Math.round(0.02 * lines));
const mayShrink = (lines: number) => Math.max(100, Math.round(0.05 * lines));

/** One line for each room whose number in the table is no longer true. */
function wrongSizes(all: readonly SourceFile[], sizes: ReturnType<typeof readSizes>): string[] {
  const counted = new Map<string, number>();
  for (const { path, text } of all) {
    const room = /^src\/(\w+)\//.exec(path)?.[1] ?? 'generated';
    if (room !== 'generated') counted.set(room, (counted.get(room) ?? 0) + text.split('\n').length - 1);
  }
  return [...counted].flatMap(([room, lines]) => {
    const size = sizes.get(room);
    if (size === undefined) return [`src/${room} has ${lines} lines, and no number in the table of ARCHITECTURE.md`];
    const place = `src/${room} has ${lines} lines, in the table of ARCHITECTURE.md ${size}`;
    if (lines > size + mayGrow(size))
      return [`${place}: write ${lines} there, and in the commit what users get for it`];
    return lines < size - mayShrink(size) ? [`${place}: write ${lines} there, so that it stays small`] : [];
  });
}

describe('how large a room is', () => {
  it('is as ARCHITECTURE.md says', () => {
    expect(wrongSizes(files, readSizes(architecture))).toStrictEqual([]);
  });

  it('is said again when it grows, or shrinks by much', () => {
    const file = (lines: number) => [{ path: 'src/room/a.ts', text: 'x\n'.repeat(lines) }];
    const sizes = readSizes('| `room/` | 1,000 | What it has |');
    expect([1_030, 900].flatMap((lines) => wrongSizes(file(lines), sizes))).toStrictEqual([]);
    expect([1_031, 899].flatMap((lines) => wrongSizes(file(lines), sizes))).toStrictEqual([
      'src/room has 1031 lines, in the table of ARCHITECTURE.md 1000: write 1031 there, and in the commit what users get for it',
      'src/room has 899 lines, in the table of ARCHITECTURE.md 1000: write 899 there, so that it stays small',
    ]);
    expect(wrongSizes(file(1), new Map())).toStrictEqual([
      'src/room has 1 lines, and no number in the table of ARCHITECTURE.md',
    ]);
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

it('one file starts programs; the command mcp runs itself', () => {
  const starting = files.filter(({ text }) => /from 'node:child_process'/.test(text));
  expect(starting.map(({ path }) => path).sort()).toStrictEqual(['src/beside/spawn.ts', 'src/cli/commands/mcp.ts']);
});

it('one file words the sentence about a wrong value', () => {
  const writing = files.filter(({ text }) => /must be [^`\n]*; found "?\$\{[^}\n]*\}"?`/.test(text));
  expect(writing.map(({ path }) => path)).toStrictEqual(['src/domain/must-be.ts']);
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
