/** How a command ends: whether it reports a failure, or crashes. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import type { StoryPlay } from '../../src/beside/story-play.js';
import { commandStory } from '../../src/beside/command-story.js';
import { againCommand } from '../../src/beside/play-file.js';

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
  ['is killed', 'process.kill(process.pid, "SIGKILL")', { crashed: true }],
])('a command that %s', async (_, script, wanted) => {
  const patience = { limitMs: 60_000 };
  const parts = { variables: {}, placed: [], patience, inVain: new Promise(() => undefined) } as unknown as StoryPlay;
  expect(await commandStory([process.execPath, '-e', script])(parts)).toMatchObject({ exited: true, ...wanted });
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
