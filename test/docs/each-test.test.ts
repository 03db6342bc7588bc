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
    test('fails', wants('try-1.other'));`;
  writeFileSync(join(dir, 'a.test.cjs'), suite);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const more = { NODE_OPTIONS: '--require ./each-test.cjs', SANDBOX_TRY: 'try-1', SANDBOX_TMP: dir };
  const { status } = spawnSync('node', ['--test'], { cwd: dir, env: { ...env, ...more } });
  const noted = readFileSync(join(dir, '.tests'), 'utf8');
  rmSync(dir, { recursive: true });
  expect([status, noted]).toEqual([1, 'try-1.sends-twice passed\ntry-1.fails failed\n']);
});
