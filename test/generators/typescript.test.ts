/** openapi-typescript with openapi-fetch. Both are development dependencies, so this suite never skips. */
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { document, expectFlow, fixtures, inFolder, run } from './support.js';

const modules = join(process.cwd(), 'node_modules');

describe('openapi-typescript', () => {
  it('makes types under which a strict program compiles and plays the flow', { timeout: 180_000 }, async () => {
    await inFolder(async (folder) => {
      await symlink(modules, join(folder, 'node_modules'));
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      const fixture = join(fixtures, 'typescript');
      await cp(join(fixture, 'tsconfig.json'), join(folder, 'tsconfig.json'));
      // It imports what is generated next to it, so the compiler of this repository cannot read it where it is kept.
      await cp(join(fixture, 'flow.ts.txt'), join(folder, 'flow.ts'));
      await run(join(modules, '.bin', 'openapi-typescript'), [document, '-o', 'messaging.ts'], folder);
      await run(join(modules, '.bin', 'tsc'), ['-p', 'tsconfig.json'], folder);
      await expectFlow((env) => run(process.execPath, ['built/flow.js'], folder, env));
    });
  });
});
