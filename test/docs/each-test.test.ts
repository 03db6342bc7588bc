/** The file of the page about explore that gives each test of a node:test suite its own account. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('notes the key and the result of each test', () => {
  const dir = mkdtempSync(join(tmpdir(), 'each-test-'));
  const [, file = ''] = /```js each-test\.cjs\n([^]*?)```/.exec(readFileSync('docs/explore.md', 'utf8')) ?? [];
  writeFileSync(join(dir, 'each-test.cjs'), file);
  const suite = `const { test } = require('node:test');
    const wants = (key) => () => { if (process.env.MESSAGING_API_KEY !== key) throw new Error('another key'); };
    test('sends: twice', wants('try-1.sends-twice'));
    const key = process.env.MESSAGING_API_KEY;
    test('asks', async () => {
      const server = require('node:http').createServer(({ headers, method }, response) => response.end(method + headers.authorization + headers.x));
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const headers = { authorization: 'Bearer ' + key, x: '7' };
      const url = 'http://127.0.0.1:' + server.address().port;
      const said = await (await fetch(url, { method: 'POST', body: '{}', headers })).text();
      const others = [await fetch(url, { headers: { ...headers, authorization: 'Bearer x' } }), await fetch(url)];
      server.close();
      if (said !== 'POSTBearer try-1.asks7') throw new Error(said);
      if ((await others[0].text()) !== 'GETBearer x7' || others[1].status !== 200) throw new Error('another call');
    });
    test('fails', wants('try-1.other'));`;
  writeFileSync(join(dir, 'a.test.cjs'), suite);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const more = {
    NODE_OPTIONS: '--require ./each-test.cjs',
    SANDBOX_TRY: 'try-1',
    MESSAGING_API_KEY: 'try-1',
    SANDBOX_TMP: dir,
  };
  const { status } = spawnSync('node', ['--test'], { cwd: dir, env: { ...env, ...more } });
  const noted = readFileSync(join(dir, '.tests'), 'utf8');
  rmSync(dir, { recursive: true });
  expect([status, noted]).toEqual([1, 'try-1.sends-twice passed\ntry-1.asks passed\ntry-1.fails failed\n']);
});
