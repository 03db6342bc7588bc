import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { expectRejected, runHere } from '../support/cli-here.js';
import { startTestSandbox } from '../support/sandbox.js';

const dir = mkdtempSync(join(tmpdir(), 'cli-explore-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

describe('explore, what it is asked', () => {
  it.each([
    ['--out DIR', 'explore: no command is given. Write explore [options] -- npm test, or add --app and --story.'],
    ['npm test', 'explore: "npm" must come after "--". Write explore [options] -- npm.'],
    ['--story x.yaml', 'explore: --app and --story belong together. Give both.'],
    ['--app x --story x -- y', 'explore: both --story and a command are given. Omit one of them.'],
    ['--budget soon -- x', 'Invalid value "soon" for --budget.'],
    ['--parallel 0 -- x', 'Invalid value "0" for --parallel. Expected a whole number from 1 to 9999.'],
    ['--ignore /none.yaml -- x', 'explore: --ignore: there is no file'],
    ['--require /none.yaml -- x', 'explore: --require: there is no file'],
    ['--only @/none.txt -- x', 'explore: --only: there is no file "/none.txt".'],
  ])('rejects %s', (line, words) => expectRejected(`explore ${line}`, [words]));

  it.each([
    ['fails without any fault', 'process.exit(3)', 'The command fails without any fault: exit code 3.'],
    ['makes no call', 'process.exit(0)', 'No call reached the sandbox, so there is nothing to try.'],
  ])('ends with exit code 2 where the story %s', async (_, script, words) => {
    const { code, stderr } = await runHere(['explore', '--out', dir, '--', 'node', '-e', script]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) as string });
  });

  it('stores how a run without a fault ended that failed', async () => {
    const script = `fetch(process.env.MESSAGING_BASE_URL + '/v1/messages', { method: 'POST', headers: { Authorization: 'Bearer k', 'Content-Type': 'application/json' },
      body: JSON.stringify({ to: '+12025550110', type: 'template', template: { name: 'none', language: 'en' } }) }).then(() => process.exit(3))`;
    const { stderr } = await runHere([
      'explore',
      '--out',
      dir,
      '--',
      'node',
      '-e',
      script.replace("'Bearer k'", "'Bearer ' + process.env.MESSAGING_API_KEY"),
    ]);
    const file = join(dir, 'failed-run.txt');
    expect(stderr).toContain(`The messages and the state at its end: ${file}`);
    expect(readFileSync(file, 'utf8')).toMatch(/failed: exit code 3\n$/);
  });

  it('gives each run a name and an empty folder, and runs --reset before it', async () => {
    const log = join(dir, 'log');
    const script = `const { SANDBOX_TRY, SANDBOX_TMP } = process.env; const fs = require('node:fs');
      fs.appendFileSync('${log}', 'run ' + SANDBOX_TRY + ' ' + fs.readdirSync(SANDBOX_TMP) + '\\n');
      fetch(process.env.MESSAGING_BASE_URL + '/v1/webhooks', { headers: { Authorization: 'Bearer ' + process.env.MESSAGING_API_KEY } });`;
    const reset = `echo reset $SANDBOX_TRY >> ${log}`;
    const { code, stderr } = await runHere([
      'explore',
      '--out',
      dir,
      '--only',
      'none/none',
      '--reset',
      reset,
      '--',
      'node',
      '-e',
      script,
    ]);
    const lines = readFileSync(log, 'utf8').trim().split('\n').sort();
    const names = lines.filter((line) => line.startsWith('reset')).map((line) => line.slice('reset '.length));
    expect({ code, unique: new Set(names).size === names.length }).toEqual({ code: 2, unique: true });
    expect(stderr).toContain("explore: --only 'none/none' fits no cell of the story.");
    // Its user learns what is wrong with the command before the first try.
    expect(stderr).toMatch(/^note: The application does not report its state\./);
    expect(lines.filter((line) => line.startsWith('run')).map((line) => line.trim())).toEqual(
      names.map((name) => `run ${name}`),
    );
  });

  it('shows its report in the sandbox of MESSAGING_BASE_URL, and says where', async () => {
    const shown = await startTestSandbox();
    const url = `http://127.0.0.1:${shown.port}`;
    const script = `const { MESSAGING_BASE_URL: url, MESSAGING_API_KEY: key } = process.env;
      fetch(url + '/v1/webhooks', { headers: { Authorization: 'Bearer ' + key } });`;
    const line = ['explore', '--out', dir, '--only', 'none/none', '--', 'node', '-e', script];
    const stale = join(dir, 'failed-run.txt');
    writeFileSync(stale, 'of an earlier exploration');
    const { stdout } = await runHere(line, { MESSAGING_BASE_URL: url });
    expect(stdout).toContain(`Shown at ${url}/_sandbox/explore\n`);
    expect(existsSync(stale)).toBe(false);
    expect(await (await fetch(`${url}/_sandbox/explore`)).text()).toBe(readFileSync(join(dir, 'explore.html'), 'utf8'));
    await shown.close();
    const gone = await runHere(line, { MESSAGING_BASE_URL: url });
    expect(gone.code).toBe(2);
    expect(gone.stdout).toContain(`Not shown: No server is listening at ${url}.`);
  });

  it('requires a message after a fault, of the application and in the scenario that it writes', async () => {
    const template = 'name: order_update, language: en';
    const [scenario, required] = [join(dir, 'open.yaml'), join(dir, 'required.yaml')];
    writeFileSync(
      scenario,
      `version: 1\ndefaults: { window: open }\ngiven: { templates: [{ ${template}, category: utility, body: 'Order {{1}}.' }] }\n`,
    );
    writeFileSync(required, "'message.send*/window-closed': { template: order_update }\n");
    const script = `const { MESSAGING_BASE_URL: url, MESSAGING_API_KEY: key, FALLBACK } = process.env;
      const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' };
      const send = (content) => fetch(url + '/v1/messages', { method: 'POST', headers, body: JSON.stringify({ to: '+12025550110', ...content }) });
      const template = { name: 'order_update', language: 'en', variables: ['42'] };
      send({ type: 'text', text: 'Ready.' }).then(async ({ ok }) => {
        if (!ok && FALLBACK !== 'none') await send({ type: 'template', template });
        console.log(JSON.stringify({ sent: ok }));
      });`;
    const named = [
      '--only',
      '*/window-closed',
      '--require',
      required,
      '--scenario',
      scenario,
      '--out',
      join(dir, 'required'),
    ];
    const exploring = (FALLBACK: string) => runHere(['explore', ...named, '--', 'node', '-e', script], { FALLBACK });
    const right = await exploring('template');
    expect(right).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing broke') as string });
    const wrong = await exploring('none');
    expect(wrong.stdout).toContain('check failed: 1st message.send (+12025550110) finds the window closed');
    expect(wrong).toMatchObject({ code: 1 });
    const file = join(dir, 'required', 'check-failed-message-send.yaml');
    const replay = (FALLBACK: string) => runHere(['scenario', 'run', file, '--', 'node', '-e', script], { FALLBACK });
    expect([(await replay('none')).code, (await replay('template')).code]).toEqual([1, 0]);
  });

  it('says which command cannot be run', async () => {
    const { code, stderr } = await runHere(['explore', '--out', dir, '--', './no-such-command']);
    expect(code).toBe(2);
    expect(stderr).toContain('explore: "./no-such-command" cannot be run: spawn ./no-such-command ENOENT.');
  });

  it('rejects a story with a wrong step, saying where and what is allowed', async () => {
    const story = join(dir, 'story.yaml');
    writeFileSync(story, 'timeline: [{ at: +1m, http: { urls: /x } }]\n');
    const { code, stderr } = await runHere(['explore', '--app', 'true', '--story', story]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/story\.yaml:1:\d+: .*urls/);
  });
});
