/** The servers that are measured: each in a process of its own, so that the load generator and they do not share a thread. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { bundle } from '../../scripts/bundle.js';
import { machineTime } from '../../src/time/host.js';

export interface Server {
  readonly url: string;
  /** Machine milliseconds from spawning the process to its first 200. */
  readonly startMs: number;
  /** Processor milliseconds used so far; null where the system does not tell. On a busy machine it says more than a rate. */
  cpuMs(): number | null;
  stop(): Promise<void>;
}

let built: Promise<string> | undefined;

/** The CLI as `npm run build` makes it: the bundle, not the sources. Inside the project, where it finds its own files. */
function builtCli(): Promise<string> {
  built ??= (async () => {
    const outdir = resolve('node_modules/.cache/messaging-sandbox', 'bench');
    await mkdir(outdir, { recursive: true });
    await bundle(outdir, ['src/cli/main.ts']);
    return resolve(outdir, 'cli/main.js');
  })();
  return built;
}

/** `messaging-sandbox start` on a free port. `BENCH_NODE_FLAGS`, such as `--cpu-prof`, go to its node. */
export async function startSandboxProcess(...flags: string[]): Promise<Server> {
  const nodeFlags = (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
  const args = [...nodeFlags, await builtCli(), 'start', '--port', '0', '--log-level', 'error', ...flags];
  return start(args, /listening on (http:\S+?)\.? Ready/, '/readyz');
}

/** The bare minimum that a JSON service on Express does: read a body, answer one. Nothing judged, nothing stored. */
const bareExpress = `
  import express from 'express';
  const app = express();
  app.use(express.json());
  app.get('/readyz', (request, response) => response.end('ok'));
  app.post('/v1/messages', (request, response) => response.json(request.body));
  const server = app.listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port + ' Ready'));
`;

export function startBareExpress(): Promise<Server> {
  return start(['--input-type=module', '-e', bareExpress], /listening on (\S+) Ready/, '/readyz');
}

/** A receiver of webhooks that says 200 to everything. */
const bareReceiver = `
  import { createServer } from 'node:http';
  const server = createServer((request, response) => request.resume().on('end', () => response.end('ok')));
  server.listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port + ' Ready'));
`;

export function startReceiver(): Promise<Server> {
  return start(['--input-type=module', '-e', bareReceiver], /listening on (\S+) Ready/, '/');
}

async function start(args: readonly string[], sign: RegExp, path: string): Promise<Server> {
  const spawnedMs = machineTime.monotonic();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await urlOf(child, sign);
  const answer = await fetch(url + path);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url}${path} answered ${answer.status}`);
  const startMs = machineTime.monotonic() - spawnedMs;
  return {
    url,
    startMs,
    cpuMs: () => cpuMsOf(child.pid),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** From Linux's process table: user and system time in ticks of 10 ms. */
function cpuMsOf(pid: number | undefined): number | null {
  try {
    const text = readFileSync(`/proc/${pid ?? ''}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

async function urlOf(child: ChildProcess, sign: RegExp): Promise<string> {
  if (child.stdout === null) throw new Error('the child has no stdout');
  for await (const line of createInterface(child.stdout)) {
    const url = sign.exec(line)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error('the server ended before it was ready');
}
