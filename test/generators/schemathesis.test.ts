/** schemathesis makes calls from the document that a sandbox serves, and follows its links. `FUZZ=full` makes thousands. */
import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import { closing } from '../support/closing.js';
import { newWorld } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';
import { describeWith, inFolder, tool } from './support.js';

const schemathesis = tool('venv', 'bin', 'schemathesis');
const examples = process.env['FUZZ'] === 'full' ? 400 : 10;

/** Rules that no schema can express, by what the sandbox says about them. */
const beyondSchemas = [
  /must be unique among the buttons/,
  /must be a complete https:\/\/ URL with a valid host and port/,
  /template_variables_mismatch/,
  /body (?:placeholders must be numbered|\{\{[^{}]*\}\} is no placeholder)/,
];

describeWith('schemathesis', [schemathesis], () => {
  it('finds nothing but what a schema cannot say', { timeout: 900_000 }, async () => {
    const key = 'test_key';
    const clock = { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) } as const;
    const sandbox = closing(await startTestSandbox({ apiKeys: [key], clock }));
    const world = newWorld(sandbox, key);
    await world.template('order_shipped', { body: 'Order {{1}} comes on {{2}}.' });
    await world.template('login_code', { category: 'authentication', body: undefined });
    await world.post('/_sandbox/rules', { id: 'open-windows', when: 'message.send', then: { window: 'open' } });
    await inFolder(async (folder) => {
      const target = [`${sandbox.url}/_sandbox/openapi/api.json`, '--header', `Authorization: Bearer ${key}`];
      const effort = ['--max-examples', String(examples), '--seed', '7', '--continue-on-failure'];
      const said = await output(['run', ...target, ...effort, '--generation-database', 'none', '--no-color'], folder);
      expect(said).toMatch(/Tested: 10\b/);
      expect(said).toMatch(/Stateful/);
      const findings = said.split(/^\d+\. Test Case ID: /m).slice(1);
      expect(findings.filter((finding) => !beyondSchemas.some((rule) => rule.test(finding)))).toEqual([]);
    });
  });
});

/** Its exit code is not 0 if there are findings, which are judged by themselves. */
function output(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(schemathesis, [...args], { cwd, maxBuffer: 256 * 1024 * 1024 }, (_error, stdout) => {
      resolve(stdout);
    });
  });
}
