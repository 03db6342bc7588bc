/** openapi-python-client for Python. */
import { join } from 'node:path';
import { it } from 'vitest';
import { describeWith, document, expectFlow, fixtures, inFolder, run, tool } from './support.js';

const bin = tool('venv', 'bin');
const python = join(bin, 'python');
const client = join(bin, 'openapi-python-client');
const path = `${bin}:${process.env['PATH'] ?? ''}`;

describeWith('openapi-python-client', [client], () => {
  it('makes a client that plays the flow', { timeout: 180_000 }, async () => {
    await inFolder(async (folder) => {
      const args = ['generate', '--path', document, '--output-path', join(folder, 'messaging'), '--meta', 'none'];
      await run(client, [...args, '--fail-on-warning'], folder, { PATH: path });
      const flow = join(fixtures, 'python', 'flow_client.py');
      await expectFlow((env) => run(python, [flow], folder, { ...env, PYTHONPATH: folder }));
    });
  });
});
