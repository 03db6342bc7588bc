import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDirections, wrongImports } from './support/tidy/directions.js';
import { sourceFiles } from './support/tidy/source-files.js';

const files = sourceFiles('src');

describe('who may import whom', () => {
  it('is as ARCHITECTURE.md says', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(wrongImports(files, readDirections(readFileSync('ARCHITECTURE.md', 'utf8')))).toStrictEqual([]);
  });

  const directions = readDirections(
    '# House\n```ts\nconst x = 1;\n```\n```\n# who → whom\noperations, http → domain, store\nsandbox → *\ndomain → nothing\n```\n',
  );

  it.each([
    ['src/domain/otp.ts', "import { x } from '../store/table.js';", 'domain may import nothing of ours'],
    ['src/operations/otp.ts', "export { x } from '../http/app.js';", 'operations may import only domain, store'],
    ['src/operations/otp.ts', "const x = await import('../webhooks/sender.js');", 'imports from webhooks'],
    ['src/operations/otp.ts', "import type { X } from '../config.js';", 'imports from config'],
    ['src/operations/otp.ts', "import x from '../generated/api.json' with { type: 'json' };", 'imports from generated'],
    ['src/stray.ts', '', 'src/stray has no line'],
  ])('finds %s with %s', (path, text, part) => {
    expect(wrongImports([{ path, text }], directions)).toStrictEqual([expect.stringContaining(part)]);
  });

  it.each([
    ['src/operations/otp.ts', "import { x } from '../domain/otp.js';\nimport { y } from './table.js';"],
    ['src/sandbox.ts', "import { x } from './http/app.js';"],
    ['src/domain/otp.ts', "import { readFile } from 'node:fs';\n// import '../store/table.js'"],
  ])('allows %s with %s', (path, text) => {
    expect(wrongImports([{ path, text }], directions)).toStrictEqual([]);
  });
});

describe('one noun, one file', () => {
  it('no file is longer than 250 lines: past that, two nouns share it', () => {
    const long = files.filter(({ text }) => text.split('\n').length - 1 > 250);
    expect(long.map(({ path }) => path)).toStrictEqual([]);
  });
});

describe('texts', () => {
  it('say one or many, and leave nobody to choose between them', () => {
    const undecided = files.filter(({ text }) => /(?<!http)\(s\)(?! *=>)/.test(text));
    expect(undecided.map(({ path }) => path)).toStrictEqual([]);
  });
});

describe('dead code', () => {
  it('there is no file and no export that nothing uses', async () => {
    const args = [
      '--include',
      'files,exports,types,enumMembers,duplicates',
      '--reporter',
      'symbols',
      '--no-progress',
      '--no-config-hints',
    ];
    const report = await knip(args);
    expect(report, 'Delete what is listed; drop only its "export" where its own file still uses it.').toBe('');
    // It reads the whole project, which on a busy machine takes its time.
  }, 180_000);
});

/** What knip reports, empty when it is content. Rejects when it could not run at all. */
function knip(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['node_modules/knip/bin/knip.js', ...args], (error, stdout, stderr) => {
      // 1 means: found something. Anything else is a failure of its own.
      if (error !== null && error.code !== 1) reject(new Error(`knip failed: ${stderr || error.message}`));
      else resolve(stdout.trim());
    });
  });
}
