/** Follows the pages whose commands are marked `step`: each command runs as pasted, and prints what the page shows. */
import { readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTestSandbox } from '../support/sandbox.js';
import { comparable, openTerminal, savedFiles, shownOn, shownPattern } from '../support/walk.js';

/** This one needs a receiver: `start.test.ts` walks it. */
const elsewhere = 'docs/getting-started.md';
/** `step`, or `step exit 1` for a command that fails. */
const isStep = (note: string): boolean => /^step(?: exit \d+)?$/.test(note);
const pages = ['README.md', ...readdirSync('docs').map((name) => join('docs', name))].filter(
  (page) => page.endsWith('.md') && page !== elsewhere && shownOn(page).some(({ note }) => isStep(note)),
);

describe('pages with steps', () => {
  it('are some', () => {
    expect(pages.length).toBeGreaterThan(3);
  });

  it.each(pages)('%s can be followed', async (page) => {
    const examples = shownOn(page);
    const sandbox = await startTestSandbox();
    const folder = savedFiles(examples);
    // The reader's folder is the repository.
    symlinkSync(resolve('examples'), join(folder, 'examples'));
    const terminal = await openTerminal(sandbox.url, folder);
    try {
      let printed = '';
      for (const example of examples) {
        if (isStep(example.note)) {
          printed = await terminal.run(example.body, Number(example.note.slice('step exit '.length)));
        }
        if (example.note === 'output') {
          expect(comparable(example, printed), example.at).toMatch(shownPattern(example));
        }
      }
    } finally {
      await terminal.close();
      await sandbox.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('show no output without a command before it', () => {
    const alone = pages.flatMap((page) =>
      shownOn(page).filter(({ note }, index, all) => note === 'output' && !isStep(all[index - 1]?.note ?? '')),
    );
    expect(alone.map(({ at }) => at)).toStrictEqual([]);
  });
});
