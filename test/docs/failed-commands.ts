/**
 * The messages of failed commands in docs/troubleshooting.md. Ports, processes and folders have the names of the page.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli, startCli } from '../support/cli.js';
import { startReceiver } from '../support/receivers.js';

async function said(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout, stderr } = await runCli(args, env);
  return stdout + stderr;
}

const folder = (): string => mkdtempSync(join(tmpdir(), 'messaging-sandbox-messages-'));

export const failedCommands: Readonly<Record<string, () => Promise<string>>> = {
  'port-in-use': async () => {
    const other = await startReceiver();
    try {
      return (await said(['start', '--port', `${other.port}`])).replace(`${other.port}`, '4242');
    } finally {
      await other.close();
    }
  },
  setting: () => said(['start'], { SANDBOX_PORT: 'tcp://10.96.0.12:4242' }),
  'unknown-scenario': () => said(['start', '--port', '0', '--scenario', 'flaky-apo']),
  'scenario-mistakes': async () => {
    const file = join(folder(), 'mistakes.yaml');
    const lines = [
      'version: 1',
      'name: busy',
      'rules:',
      '  - when: mesage.send',
      '    then: { respond: { status: 429 } }',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    return (await said(['scenario', 'check', file])).replaceAll(file, 'mistakes.yaml');
  },
  'data-in-use': async () => {
    const dir = folder();
    const other = await startCli(['--data', dir]);
    try {
      const text = await said(['start', '--port', '0', '--data', dir]);
      return text
        .replace(dir, './sandbox-data')
        .replace(`process ${other.pid} on ${hostname()}`, 'process 4711 on laptop');
    } finally {
      await other.stop();
    }
  },
  'unknown-variable': async () => {
    const server = await startCli([], { SANDBOX_SENARIO: 'flaky-api' });
    return (await server.stop()).stderr;
  },
  'nothing-listens': async () => {
    const gone = await startReceiver();
    await gone.close();
    const text = await said(['inbound', '+12025550123', 'Hi', '--url', `http://127.0.0.1:${gone.port}`]);
    return text.replace(`${gone.port}`, '4242');
  },
};
