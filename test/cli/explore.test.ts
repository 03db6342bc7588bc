import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { expectRejected, runHere } from '../support/cli-here.js';

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
    ['--budget soon -- x', 'explore: Invalid value "soon" for --budget.'],
    ['--max-runs 0 -- x', 'explore: Invalid value "0" for --max-runs. Expected a whole number of at least 1.'],
    ['--ignore /none.yaml -- x', 'explore: --ignore: there is no file'],
  ])('rejects %s', (line, words) => expectRejected(`explore ${line}`, [words]));

  it('stops where the story fails without any fault', async () => {
    const { code, stderr } = await runHere(['explore', '--out', dir, '--', 'node', '-e', 'process.exit(3)']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('The story fails without any fault: exit code 3.') as string,
    });
  });

  it('says which command cannot be run', async () => {
    const { code, stderr } = await runHere(['explore', '--out', dir, '--', './no-such-command']);
    expect(code).toBe(2);
    expect(stderr).toContain('explore: "./no-such-command" cannot be run: spawn ./no-such-command ENOENT.');
  });

  it('rejects a story with a wrong step, saying what is allowed', async () => {
    const story = join(dir, 'story.yaml');
    writeFileSync(story, 'timeline: [{ at: +1m, http: { urls: /x } }]\n');
    const { code, stderr } = await runHere(['explore', '--app', 'true', '--story', story]);
    expect(code).toBe(2);
    expect(stderr).toContain('timeline[0].http: unknown key "urls". Allowed: method, url, body, headers, save.');
  });
});
