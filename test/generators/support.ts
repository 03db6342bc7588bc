/**
 * One flow for clients that generators make of openapi.yaml: submit a template, send one message, send a batch, be rejected,
 * parse an event. Each client plays it against a real sandbox and prints what it has read.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { newWorld } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

export const document = join(process.cwd(), 'openapi.yaml');
export const fixtures = join(process.cwd(), 'test', 'generators');

/** Where scripts/generator-tools.sh installs. */
const toolsFolder = process.env['GENERATOR_TOOLS'] ?? join(homedir(), '.cache', 'messaging-sandbox', 'generators');
export const tool = (...path: string[]): string => join(toolsFolder, ...path);

/** A suite that is skipped, with a word about it, where one of its tools is not installed. */
export function describeWith(name: string, tools: readonly string[], suite: () => void): void {
  const missing = tools.filter((path) => !existsSync(path));
  if (missing.length > 0) {
    process.stderr.write(
      `SKIPPED ${name}: ${missing.join(', ')} not found. Install with scripts/generator-tools.sh.\n`,
    );
  }
  describe.skipIf(missing.length > 0)(name, suite);
}

/** @throws with everything that the command printed */
export async function run(command: string, args: readonly string[], cwd: string, env: object = {}): Promise<string> {
  try {
    const settings = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return (await promisify(execFile)(command, [...args], settings)).stdout;
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message.slice(0, 500)}\n${stdout.slice(-6000)}\n${stderr.slice(-6000)}`);
  }
}

export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'generated-client-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What each client has to print, as one line of JSON. */
const read = {
  submitted: 'pending_review',
  template: 'pending',
  accepted: 'accepted',
  batch: 'queued',
  failed: 'validation_error',
  rejected: 'send_failed',
  event: 'message.status',
  status: 'delivered',
};

/** @param play runs a client, which finds everything in its environment, and returns what it printed */
export async function expectFlow(play: (env: Record<string, string>) => Promise<string>): Promise<void> {
  const clock = { mode: 'frozen', scale: 1, startMs: Date.UTC(2026, 2, 1, 9) } as const;
  const sandbox = await startTestSandbox({ clock });
  try {
    const world = newWorld(sandbox, 'generated');
    await world.template('order_shipped');
    await world.register('https://sink.sandbox/events');
    await world.send('+12025550101', 'order_shipped');
    await world.advance('1s');
    const received = await world.items<{ body: string }>('/_sandbox/sink/events/received');
    const event = received.map(({ body }) => body).find((body) => body.includes('"delivered"'));
    const env = { MESSAGING_BASE_URL: sandbox.url, MESSAGING_API_KEY: world.key, EVENT: event ?? '' };
    const printed = (await play(env)).trim().split('\n').at(-1) ?? '';
    expect(JSON.parse(printed)).toEqual(read);
  } finally {
    await sandbox.close();
  }
}
