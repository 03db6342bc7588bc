/** The sandbox as shipped, started from a build made for this run, and the calls to it. */
import { rmSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compile, writeDist } from '../scripts/dist.js';
import { freePort } from '../src/beside/reach.js';
import { call } from './load.js';
import { cpuProbe, startServer, type Server } from './server.js';

/** The Node that runs all servers; `--node PATH` selects a different one. */
export const serverNode = { path: process.execPath, major: Number(process.versions.node.split('.')[0]) };

let built: Promise<string> | undefined;

/** Returns the folder of the build. It lies in the project, where the build finds the files and dependencies of the package. */
export function builtFolder(): Promise<string> {
  built ??= (async () => {
    const app = resolve(`node_modules/.cache/messaging-sandbox/bench-${process.pid}`);
    const folder = resolve(app, 'dist');
    process.on('exit', () => rmSync(app, { recursive: true, force: true }));
    await mkdir(folder, { recursive: true });
    await copyFile('package.json', resolve(app, 'package.json'));
    await writeDist(folder, compile);
    return folder;
  })();
  return built;
}

/** Starts a sandbox. Its journal is short, so that it does not affect the result. */
export async function startSandbox(...flags: string[]): Promise<Server> {
  const port = await freePort();
  const own = ['start', '--port', `${port}`, '--log-level', 'error', '--max-journal', '100'];
  const args = [...cpuProbe, resolve(await builtFolder(), 'cli/main.js'), ...own, ...flags];
  return startServer({ file: serverNode.path, args }, port, '/readyz');
}

const template = { name: 'order_shipped', language: 'en', variables: ['1042'] };

/** Returns a number that is not a magic number, so that every send takes the default path. */
export const recipient = (index: number): string => `+4915${200_000_000 + index}`;

export const templateSend = (to: string | readonly string[]): object => ({ to, type: 'template', template });

export const hundred = templateSend(Array.from({ length: 100 }, (_, index) => recipient(index)));

/** Submits the template and lets its review pass. */
export async function approveTemplate(url: string): Promise<void> {
  const body = { name: template.name, category: 'utility', language: template.language, body: 'Order {{1}} left' };
  await call(`${url}/v1/templates`, 'POST', body);
  await call(`${url}/_sandbox/clock/advance`, 'POST', { by: '2s' });
}

/** Sends `count` messages in batches of 100, each to a different number. Their status reports are still pending. */
export async function fill(url: string, count: number, first = 0): Promise<void> {
  for (let sent = 0; sent < count; sent += 100) {
    const to = Array.from({ length: Math.min(100, count - sent) }, (_, index) => recipient(first + sent + index));
    await call(`${url}/v1/messages`, 'POST', templateSend(to));
  }
}

/** Returns when nothing is pending; on a real clock, a message is read after a second. */
export async function settled(url: string): Promise<void> {
  while ((await call<{ pending: number }>(`${url}/_sandbox/idle?timeout=60s`, 'POST')).pending > 0) await pause(50);
}
