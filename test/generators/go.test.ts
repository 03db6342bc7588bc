/** oapi-codegen for Go. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'vitest';
import { describeWith, document, expectFlow, fixtures, inFolder, run, tool } from './support.js';

const generator = tool('bin', 'oapi-codegen');

describeWith('oapi-codegen', [generator], () => {
  it('makes a client that builds and plays the flow', { timeout: 300_000 }, async () => {
    await inFolder(async (folder) => {
      await cp(join(fixtures, 'go'), folder, { recursive: true });
      await run(generator, ['-config', 'oapi-codegen.yaml', document], folder);
      await run('go', ['build', '-o', 'flow', '.'], folder, { GOFLAGS: '-mod=mod', CGO_ENABLED: '0' });
      await expectFlow((env) => run(join(folder, 'flow'), [], folder, env));
    });
  });
});
