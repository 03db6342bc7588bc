/** openapi-python-client and datamodel-code-generator for Python. */
import { join } from 'node:path';
import { it } from 'vitest';
import { describeWith, document, expectFlow, fixtures, inFolder, run, tool } from './support.js';

const bin = tool('venv', 'bin');
const python = join(bin, 'python');
const client = join(bin, 'openapi-python-client');
const models = join(bin, 'datamodel-codegen');
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

describeWith('datamodel-code-generator', [models], () => {
  it('makes models that fit every request, response and event of the flow', { timeout: 180_000 }, async () => {
    await inFolder(async (folder) => {
      const output = ['--output-model-type', 'pydantic_v2.BaseModel', '--output', join(folder, 'messaging.py')];
      await run(models, ['--input', document, '--input-file-type', 'openapi', ...output], folder, { PATH: path });
      const flow = join(fixtures, 'python', 'flow_models.py');
      await expectFlow((env) => run(python, [flow], folder, { ...env, PYTHONPATH: folder }));
    });
  });
});
