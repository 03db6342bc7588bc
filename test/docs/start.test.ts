/** "Start" of docs/README.md, walked step by step as it is written, with a receiver and a sandbox of its own. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startCli, type CliServer } from '../support/cli.js';
import { examplesOf } from '../support/markdown.js';
import { startReceiver } from '../support/receivers.js';

const page = 'docs/README.md';
const examples = examplesOf(page, readFileSync(page, 'utf8'));
const noted = (note: string): string[] =>
  examples.filter((example) => example.note === note).map(({ body }) => body.trim());

/** The receiver of the page, and a way to wait for what it prints. */
interface Printing {
  /** Resolves with the lines so far once there are as many; a test that waits for too many fails by its timeout. */
  lines(count: number): Promise<readonly string[]>;
  stop(): Promise<void>;
}

let sandbox: CliServer;
let receiver: Printing;
beforeAll(async () => {
  sandbox = await startCli();
  receiver = await startPrinting();
});
afterAll(async () => {
  await receiver.stop();
  await sandbox.stop();
});

describe('the start', () => {
  const [inbound = '', answer = '', handset = '', forge = '', freeze = ''] = noted('step');

  it('is walked whole: five steps, and the day', () => {
    expect(noted('step')).toHaveLength(5);
    expect(noted('day')).toHaveLength(1);
    expect(noted('start')).toStrictEqual(['npm ci && npm start']);
  });

  it('brings the first signed webhook', async () => {
    expect(await receiver.lines(1)).toStrictEqual([expect.stringMatching(/^registered, listening on \d+$/)]);
    await shell(inbound);
    const [, line = ''] = await receiver.lines(2);
    expect(line).toMatch(
      /^genuine \{"id":"evt_[^"]+","type":"message\.received","created_at":"[^"]+","data":\{"message_id":/,
    );
    expect(line).toContain('"from":"+12025550123"');
    expect(line).toContain('"text":"Where is my order?"');
  });

  it('sees the answer accepted, sent, delivered and read', async () => {
    expect(await shell(answer)).toMatch(/^\{"message_id":"[^"]+","status":"accepted"\}$/);
    const lines = (await receiver.lines(5)).slice(2);
    expect(lines.map((line) => /^genuine .*"status":"(\w+)"/.exec(line)?.[1])).toStrictEqual([
      'sent',
      'delivered',
      'read',
    ]);
    const { items } = JSON.parse(await shell(handset)) as { items: { text: string }[] };
    expect(items.map(({ text }) => text)).toStrictEqual(['Where is my order?', 'On its way.']);
  });

  it('sees a forged event for what it is', async () => {
    await shell(forge);
    expect((await receiver.lines(6))[5]).toMatch(/^FORGED \{.*"type":"message\.status"/);
  });

  it('ends with a paused endpoint', async () => {
    await shell(freeze);
    await receiver.stop();
    const last = (await shell(noted('day')[0] ?? '')).split('\n').at(-1) ?? '';
    const { webhooks } = JSON.parse(last) as { webhooks: { status: string; pause_reason?: string }[] };
    expect(webhooks.map(({ status }) => status)).toStrictEqual(['paused']);
    expect(webhooks[0]?.pause_reason).toContain('24 hours');
  });
});

/** As a user's shell runs it, but for where the sandbox is and what is on the PATH. */
function shell(command: string): Promise<string> {
  const own = command
    .replaceAll('http://127.0.0.1:4242', sandbox.url)
    .replaceAll('npx messaging-sandbox', `"${process.execPath}" "${inject('cli').main}"`);
  return new Promise((resolve, reject) => {
    execFile('sh', ['-ec', own], { env: { ...process.env, SANDBOX_URL: sandbox.url } }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${own}\n${stdout}${stderr}`));
      else resolve(stdout.trim());
    });
  });
}

async function startPrinting(): Promise<Printing> {
  const [source = ''] = noted('receiver');
  const file = join(mkdtempSync(join(tmpdir(), 'messaging-sandbox-start-')), 'receiver.mjs');
  writeFileSync(file, source);
  const free = await startReceiver();
  await free.close();
  const env = { ...process.env, MESSAGING_BASE_URL: sandbox.url, PORT: `${free.port}` };
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
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
