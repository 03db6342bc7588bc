/** How a command ends: whether it reports a failure, or crashes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { StoryPlay } from '../../src/beside/story-play.js';
import { commandStory, killsIn } from '../../src/beside/command-story.js';
import { againCommand } from '../../src/beside/play-file.js';
import { ruleIdOf } from '../../src/explore/faults/placed.js';
import { point } from '../explore/runs.js';

const nested = [
  '# Subtest: codes',
  '    # Subtest: wrong codes',
  '    not ok 2 - wrong codes',
  '      ---',
  "      error: \"'a' == 'b'\"",
  '      ...',
  'not ok 1 - codes',
  '  ---',
  "  error: '1 subtest failed'",
  '  ...',
  '# fail 2',
].join('\n');
const trace = 'Traceback (most recent call last):\\n  File "x.py"\\nValueError: no';

it.each([
  ['reports a failure by its exit code', 'console.error("1 failed"); process.exit(1)', { crashed: false }],
  ['dies of an error', 'throw new TypeError("no")', { crashed: true, failure: 'exit code 1 (TypeError: no)' }],
  ['dies of an error of Python', `console.error(\`${trace}\`); process.exit(1)`, { crashed: true }],
  [
    'is a suite of Python with a failed test',
    `console.error(\`${trace}\\nRan 2 tests in 1s\`); process.exit(1)`,
    { crashed: false },
  ],
  [
    'is a suite of Go with a failed test',
    'console.log("--- FAIL: TestIt\\n  it_test.go:1: no\\nFAIL\\nFAIL\\texample.com/it\\nFAIL"); process.exit(1)',
    { crashed: false, failure: 'exit code 1 (--- FAIL: TestIt)' },
  ],
  [
    'is a suite in TAP with a failed test',
    'console.log("not ok 1\\n  ---\\n  error: |-\\n    1 is not 2\\n    1 !== 2\\n  ..."); process.exit(1)',
    { crashed: false, failure: 'exit code 1 (error: 1 is not 2)' },
  ],
  [
    'is a suite of Node with a failed test',
    `console.log(${JSON.stringify(nested)}); process.exit(1)`,
    { crashed: false, failure: `exit code 1 (wrong codes: error: "'a' == 'b'")` },
  ],
  ['is killed', 'process.kill(process.pid, "SIGKILL")', { crashed: true }],
])('a command that %s', async (_, script, wanted) => {
  const patience = { limitMs: 60_000 };
  const inVain = new Promise(() => undefined);
  const parts = { variables: {}, placed: [], patience, inVain, stage: { calls: 0 } } as unknown as StoryPlay;
  expect(await commandStory([process.execPath, '-e', script])(parts)).toMatchObject({ exited: true, ...wanted });
});

it('is not started again after the end of its time', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'killed-'));
  const script = `fs.appendFileSync(${JSON.stringify(join(dir, 'starts'))}, 'x'); setInterval(() => {}, 60_000)`;
  const [killed] = killsIn([point]);
  let late = (): void => undefined;
  const inVain = new Promise<'late'>((resolve) => (late = () => resolve('late')));
  // Its time ends between the call and the kill.
  const list = () => {
    // The file exists before it is written.
    const hits = (statSync(join(dir, 'starts'), { throwIfNoEntry: false })?.size ?? 0) > 0 ? 1 : 0;
    if (hits === 1) setImmediate(late);
    return Promise.resolve([{ id: killed && ruleIdOf(killed), hits }]);
  };
  const account = { account: () => account, rules: { list } };
  const parts = {
    variables: {},
    placed: [killed],
    patience: { limitMs: 60_000 },
    inVain,
    account,
    stage: { calls: 0 },
  };
  const ending = await commandStory([process.execPath, '-e', script])(parts as unknown as StoryPlay);
  expect([ending.timedOut, ending.restarted]).toEqual([true, false]);
  expect(readFileSync(join(dir, 'starts'), 'utf8')).toBe('x');
  rmSync(dir, { recursive: true });
});

it('is printed so that it finds an empty folder and a name of its own, after the reset', () => {
  const seen = `sh -c 'echo "$SANDBOX_TRY $(ls -A "$SANDBOX_TMP" | wc -l)"'`;
  const printed = (reset: string | null) =>
    execFileSync('sh', ['-c', againCommand(seen, reset)], { encoding: 'utf8' })
      .replace(/again-\d+/g, 'again')
      .trim();
  expect(printed(null)).toMatch(/^again +0$/);
  expect(printed('touch "$SANDBOX_TMP/$SANDBOX_TRY"')).toMatch(/^again +1$/);
  expect(() => printed('false')).toThrow();
});
