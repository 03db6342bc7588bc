/** Follows docs/getting-started.md step by step, with its receiver and its applications; `usual.test.ts` runs its tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox.js';
import { has } from '../support/package.js';
import { startReceiver } from '../support/receivers.js';
import { startTestSandbox } from '../support/sandbox.js';
import { comparable, openTerminal, savedFiles, shownOn, shownPattern, type Terminal } from '../support/walk.js';

const page = 'docs/getting-started.md';
const examples = shownOn(page);
const noted = (note: string): string[] =>
  examples.filter((example) => example.note === note).map(({ body }) => body.trim());

/** The receiver of the page, and a way to wait for what it prints. */
interface Printing {
  /** Resolves with the lines so far once there are this many; a test that waits for too many fails by its timeout. */
  lines(count: number): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const folder = savedFiles(examples);
let sandbox: Sandbox;
let receiver: Printing;
let terminal: Terminal;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  receiver = await startPrinting();
  terminal = await openTerminal(sandbox.url, folder);
});
afterAll(async () => {
  await terminal.close();
  await receiver.stop();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** Runs an example, and compares its output with the output shown below it. */
async function follow(note: string, number = 0): Promise<string> {
  const example = examples.filter((each) => each.note === note)[number]!;
  const printed = await terminal.run(example.body);
  const shown = examples.slice(examples.indexOf(example) + 1).find(({ note: next }) => next !== '');
  if (shown?.note === 'output') expect(comparable(shown, printed.split('\n').at(-1)!)).toMatch(shownPattern(shown));
  return printed;
}

describe('the start', () => {
  it('is walked whole: five steps, and the day', () => {
    expect(noted('step')).toHaveLength(5);
    expect(noted('day')).toHaveLength(1);
    expect(noted('start')).toStrictEqual(['npm ci && npm start']);
    expect(noted('receiver')).toStrictEqual(['node receiver.mjs']);
  });

  it('brings the first signed webhook', async () => {
    expect(await receiver.lines(1)).toStrictEqual([expect.stringMatching(/^registered, listening on \d+$/)]);
    await follow('step', 0);
    const [, line = ''] = await receiver.lines(2);
    expect(line).toMatch(shownPattern(examples.find(({ note }) => note === 'receives')!));
  });

  it('sees the reply accepted, sent, delivered and read', async () => {
    await follow('step', 1);
    const lines = (await receiver.lines(5)).slice(2);
    expect(lines.map((line) => /^genuine .*"status":"(\w+)"/.exec(line)?.[1])).toStrictEqual([
      'sent',
      'delivered',
      'read',
    ]);
  });

  it('sees a forged event for what it is', async () => {
    await follow('step', 2);
    expect((await receiver.lines(6))[5]).toMatch(/^FORGED \{.*"type":"message\.status"/);
  });

  it('ends with a paused endpoint, and a clock that runs again', async () => {
    await follow('step', 3);
    await receiver.stop();
    await follow('day');
    await follow('step', 4);
  });
});

describe('an application of your own', () => {
  it('in Python', async ({ skip }) => {
    if (!(await has('python3', '--version'))) {
      const note = `NOT RUN: the test in Python of ${page}, because python3 is not installed`;
      process.stderr.write(`${note}\n`);
      skip(note);
    }
    const printed = await terminal.run(noted('python')[0]!);
    const shown = examples[examples.findIndex(({ note }) => note === 'python') + 1]!;
    expect(printed).toMatch(shownPattern(shown));
  });
});

async function startPrinting(): Promise<Printing> {
  const free = await startReceiver();
  await free.close();
  const env = { ...process.env, MESSAGING_BASE_URL: sandbox.url, PORT: `${free.port}` };
  const child = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let printed = '';
  let heard = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
    heard();
  });
  return {
    async lines(count) {
      for (;;) {
        const lines = printed.split('\n').slice(0, -1);
        if (lines.length >= count) return lines;
        await new Promise<void>((resolve) => (heard = resolve));
      }
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
