/** Containers of the image under test: all are told apart by one prefix, and removed when the run ends. */
import { request } from 'node:http';
import { machineTime } from '../../src/time/system-clock.js';
import { docker, must, type Ran } from './docker.js';

/** As a strict cluster runs it: the root cannot be written, and no right is left. */
export const hardened = [
  '--read-only',
  '--tmpfs',
  '/tmp',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
] as const;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Container {
  readonly name: string;
  readonly url: string;
  /** Machine milliseconds from the engine's own start of the container to the first 200 of /readyz. */
  readonly readyMs: number;
  exec(...command: string[]): Promise<Ran>;
  /** One HTTP call; a body makes it a POST. */
  call(
    path: string,
    options?: { readonly key?: string; readonly host?: string; readonly body?: object },
  ): Promise<Answer>;
  logs(): Promise<string>;
  remove(): Promise<void>;
}

const prefix = `image-check-${process.pid}`;
let count = 0;

/** Runs the image and waits until it is ready. @param port inside the container. @throws Error with its log when it is not */
export async function start(image: string, flags: readonly string[] = [], port = 4242): Promise<Container> {
  const name = nextName();
  await must(['run', '-d', '--name', name, '-p', `127.0.0.1::${port}`, ...flags, image]);
  return ready(name, port);
}

/** Starts a container that was stopped again: its address is a new one. */
export async function startAgain({ name }: Container, port = 4242): Promise<Container> {
  await must(['start', name]);
  return ready(name, port);
}

export function nextName(): string {
  count += 1;
  return `${prefix}-${count}`;
}

async function ready(name: string, port: number): Promise<Container> {
  const published = (await must(['port', name, `${port}/tcp`])).split('\n')[0] ?? '';
  const url = `http://127.0.0.1:${published.split(':').at(-1) ?? ''}`;
  const startedMs = Date.parse(await must(['inspect', '-f', '{{.State.StartedAt}}', name]));
  const giveUpMs = machineTime.monotonic() + 20_000;
  while ((await ask(`${url}/readyz`).catch(() => null))?.status !== 200) {
    if (machineTime.monotonic() > giveUpMs) throw new Error(`not ready after 20 s: ${await logsOf(name)}`);
    await pause(10);
  }
  const readyMs = machineTime.now() - startedMs;
  return {
    name,
    url,
    readyMs,
    exec: (...command) => docker(['exec', name, ...command]),
    call: (path, options = {}) => ask(url + path, options),
    logs: () => logsOf(name),
    remove: async () => {
      await docker(['rm', '-f', '-v', name]);
    },
  };
}

/** Also what a failed check left behind. */
export async function removeAll(): Promise<void> {
  const names = (await must(['ps', '-aq', '--filter', `name=${prefix}-`])).split('\n').filter((name) => name !== '');
  if (names.length > 0) await must(['rm', '-f', '-v', ...names]);
}

async function logsOf(name: string): Promise<string> {
  const { stdout, stderr } = await docker(['logs', name]);
  return stdout + stderr;
}

/** Node's own client, because fetch lets nobody set Host. */
function ask(url: string, { key, host, body }: Parameters<Container['call']>[1] = {}): Promise<Answer> {
  const headers = {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(host !== undefined && { host }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  return new Promise((answered, failed) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request(url, { agent: false, method, headers, timeout: 10_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => answered({ status: response.statusCode ?? 0, text }));
      response.on('error', failed);
    });
    asked.on('error', failed);
    asked.on('timeout', () => asked.destroy(new Error(`${url} did not answer within 10 s`)));
    asked.end(body && JSON.stringify(body));
  });
}

/** What only shows after a while is asked for again and again: an engine tells nobody. */
export async function until(what: string, holds: () => Promise<boolean>, withinMs = 10_000): Promise<void> {
  const giveUpMs = machineTime.monotonic() + withinMs;
  while (!(await holds())) {
    if (machineTime.monotonic() > giveUpMs) throw new Error(`${what}: not within ${withinMs / 1_000} s`);
    await pause(100);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => void machineTime.setTimer(ms, done));
}
