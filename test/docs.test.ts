/** The documentation is true: examples load and run, links have a target, tables match the code. */
import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize, resolve } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { generatedFiles } from '../scripts/docs/files.js';
import { sectionNames } from '../scripts/docs/markdown.js';
import { sections } from '../scripts/docs/sections.js';
import { commands } from '../src/cli/program.js';
import { configOptionList } from '../src/config/index.js';
import { parseDialect } from '../src/dialect/index.js';
import controlDocument from '../src/generated/control.json' with { type: 'json' };
import { loadScenario, type LoadResult } from '../src/reader/load.js';
import { formatProblems } from '../src/language/problems.js';
import { examplesOf, headingAnchors, linksOf } from './support/markdown.js';

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n').filter(existsSync);
const text = (path: string): string => readFileSync(path, 'utf8');
const examples = pages.flatMap((page) => examplesOf(page, text(page)));
const scratch = mkdtempSync(join(tmpdir(), 'messaging-sandbox-docs-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function load(source: string, file: string): LoadResult {
  return loadScenario(source, {
    file,
    resolve: (name) => {
      const path = `scenarios/${name.replace(/\.yaml$/, '')}.yaml`;
      return existsSync(path) ? { file: path, text: text(path) } : undefined;
    },
  });
}

describe('scenarios in the documentation', () => {
  const written = examples.filter(({ language, body }) => language === 'yaml' && /^version: 1$/m.test(body));
  const stories = readdirSync('examples/stories').map((name) => `examples/stories/${name}`);
  const all = [...written, ...stories.map((at) => ({ at, body: text(at) }))];

  it('are many', () => {
    expect(written.length).toBeGreaterThan(5);
  });

  it.each(all.map((example) => [example.at, example] as const))('%s loads without a warning', (at, { body }) => {
    const result = load(body, at);
    expect('problems' in result ? formatProblems(result.problems, () => body) : result.warnings).toStrictEqual([]);
  });
});

it('dialects in the documentation are valid', () => {
  const dialects = examples.filter(({ note }) => note === 'dialect');
  expect(dialects).toHaveLength(1);
  for (const { at, body } of dialects) expect(() => parseDialect(body, at)).not.toThrow();
});

describe('programs in the documentation', () => {
  it('the test of README passes, with the built package', async () => {
    const program = examples.filter(({ note }) => note === 'run');
    expect(program).toHaveLength(1);
    const file = join(scratch, 'window.test.mjs');
    writeFileSync(file, program[0]!.body);
    mkdirSync(join(scratch, 'node_modules'));
    symlinkSync(resolve(dirname(inject('cli').main), '../..'), join(scratch, 'node_modules/messaging-sandbox'));
    const output = await run(process.execPath, ['--test', file], {});
    expect(output).toMatch(/^. pass 1$/m);
  });
});

describe('what the documentation starts', () => {
  it('ends with it: no snippet starts npm in the background, because kill then ends npm alone', () => {
    const left = examples.filter(
      ({ language, body }) => language === 'sh' && /\b(?:npm|npx) [^\n&|]*[^&\n]&(?!&)/.test(body),
    );
    expect(left.map(({ at }) => at)).toStrictEqual([]);
  });
});

describe('what the documentation names', () => {
  const shell = examples.filter(({ language }) => language === 'sh').map(({ body }) => body.replaceAll('\\\n', ' '));
  const prose = pages.filter((page) => page !== 'CHANGELOG.md').map(text);
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  const flags = configOptionList.flatMap(({ flags }) => flags.replace(/ <.*/, '').split(', '));
  const paths = Object.keys(controlDocument.paths).map((path) =>
    path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+'),
  );
  // The stream is a socket, the other two are pages; they are not operations.
  const called = new RegExp(`^(?:${[...paths, '/_sandbox/(?:live|docs(?:/README\\.md)?|ui)'].join('|')})$`);

  it.each<[string, string[], RegExp, (name: string) => boolean]>([
    ['commands', shell, /messaging-sandbox ([a-z]+)/g, (name) => commands.some((command) => command.name === name)],
    ['npm scripts', prose, /npm run ([\w:-]+)/g, (name) => Object.hasOwn(scripts, name)],
    ['flags', shell, /(?<=npm start -- .*)(?<= )(--?[a-z][a-z-]*)/g, (name) => flags.includes(name)],
    ['calls', prose, /(\/_sandbox\/[\w{}+./-]*[\w}])/g, (name) => called.test(name)],
  ])('%s exist', (_what, texts, pattern, exists) => {
    const names = texts.flatMap((body) => [...body.matchAll(pattern)].map(([, name = '']) => name));
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => !exists(name))).toStrictEqual([]);
  });
});

describe('links in the documentation', () => {
  it.each(pages.map((page) => [page]))('%s leads to files and headings that are there', (page) => {
    const broken = linksOf(text(page)).filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      if (!existsSync(target)) return true;
      return anchor !== undefined && !headingAnchors(text(target)).includes(anchor);
    });
    expect(broken).toStrictEqual([]);
  });

  it('README leads to the index, and the index to every page for users', () => {
    expect(linksOf(text('README.md'))).toContain('docs/README.md');
    const links = linksOf(text('docs/README.md')).map((link) => normalize(join('docs', link.split('#')[0] ?? '')));
    const missing = pages.filter((page) => /^(?:docs\/)?[\w-]+\.md$/.test(page) && !links.includes(page));
    const root = ['AGENTS.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'];
    expect(missing.sort()).toStrictEqual([...root, 'docs/README.md'].sort());
  });
});

describe('generated pages and tables', () => {
  it.each(generatedFiles.map(({ path, make }) => [path, make] as const))(
    '%s is what npx tsx scripts/docs.ts writes',
    async (path, make) => {
      expect(text(path)).toBe(await make());
    },
  );

  it('has a place for every table', () => {
    const placed = pages.flatMap((page) => sectionNames(text(page)));
    expect(Object.keys(sections).filter((name) => !placed.includes(name))).toStrictEqual([]);
  });
});

it('no page tells of the machine it was written on', () => {
  const telling = pages.filter((page) => /\/work\/|\/root\/|registry\.npmjs|shared\//.test(text(page)));
  expect(telling).toStrictEqual([]);
});

function run(command: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((done, reject) => {
    // A test runner that finds itself inside another one reports to it instead of to us.
    const { NODE_TEST_CONTEXT: _outer, ...rest } = process.env;
    execFile(command, args, { env: { ...rest, ...env } }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${stdout}${stderr}`));
      else done(stdout);
    });
  });
}
