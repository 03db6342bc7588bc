/** A server in a process of its own, so that the load generator and it do not share a thread. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { machineTime } from '../../src/time/system-clock.js';
import { benchKey } from './load.js';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether it answers questions over a channel of its own (`probe.mjs`). */
  readonly asked?: boolean;
}

export interface Server {
  readonly url: string;
  /** Machine milliseconds from spawning the process to its first 2xx. */
  readonly startMs: number;
  /** Processor milliseconds used so far; null where the system does not tell. On a busy machine it says more than a rate. */
  cpuMs(): number | null;
  /** Resident memory in megabytes (10^6 bytes) at this moment; null where the system does not tell. */
  rssMb(): number | null;
  /** Asks the process itself. Only for one that was started to be asked. */
  ask(question: string): Promise<number>;
  /** Sends the signal and returns when the process is gone. Default SIGTERM, and SIGKILL when 10 s of that were not enough. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Those under way: an interrupted benchmark leaves no server behind. */
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

const longestStartMs = 60_000;
const longestStopMs = 10_000;

let nextPort = 20_000 + (process.pid % 10_000);

/**
 * A port that nobody listens on just now. Below the range from which systems take ports for outgoing connections: asking
 * again and again for a server that is not there yet could otherwise connect to itself, and so take its port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort++;
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

/**
 * Spawns the command and returns with its first 2xx to GET `readyPath`, asked for every two milliseconds.
 * @throws Error when it exits before, or is not ready within a minute; with the end of what it wrote to stderr
 */
export async function startServer(
  { file, args, asked = false }: Command,
  port: number,
  readyPath: string,
): Promise<Server> {
  const spawnedMs = machineTime.monotonic();
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe', ...(asked ? ['ipc' as const] : [])] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const said = tailOf(child);
  let failure: string | undefined;
  child.once('error', (error) => (failure = error.message));
  const url = `http://127.0.0.1:${port}`;
  while (!(await answersWell(url + readyPath))) {
    if (child.exitCode !== null) failure ??= `ended with ${child.exitCode}`;
    if (machineTime.monotonic() - spawnedMs > longestStartMs) failure ??= 'was not ready within a minute';
    if (failure !== undefined) {
      child.kill('SIGKILL');
      throw new Error(`${file} ${args.join(' ')} ${failure}\n${said()}`.trim());
    }
    await pause(2);
  }
  const startMs = machineTime.monotonic() - spawnedMs;
  return {
    url,
    startMs,
    cpuMs: () => cpuMsOf(child.pid),
    rssMb: () => rssMbOf(child.pid),
    ask: (question) => ask(child, question),
    stop: (signal = 'SIGTERM') => end(child, signal),
  };
}

/** Waits on the machine's clock. A benchmark may; a test may not. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => machineTime.setTimer(ms, resolve));
}

async function ask(child: ChildProcess, question: string): Promise<number> {
  const answered = once(child, 'message');
  child.send(question);
  const [answer] = (await answered) as [number];
  return answer;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const cancel = machineTime.setTimer(longestStopMs, () => child.kill('SIGKILL'), { unref: true });
  await exited;
  cancel();
}

/** What the child last wrote to stderr. The stream is read to its end, so that the child never waits for us. */
function tailOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(-2_000)));
  return () => text;
}

function answersWell(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${benchKey}` };
    const asked = request(url, { agent: false, headers }, (response) => {
      const { statusCode = 0 } = response;
      response.resume().on('close', () => resolve(statusCode >= 200 && statusCode < 300));
    });
    asked.on('error', () => resolve(false)).end();
  });
}

/** From Linux's process table: user and system time of all threads, in ticks of 10 ms. */
function cpuMsOf(pid: number | undefined): number | null {
  try {
    const text = readFileSync(`/proc/${pid ?? ''}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

function rssMbOf(pid: number | undefined): number | null {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid ?? ''}/status`, 'utf8'))?.[1];
    return kib === undefined ? null : (Number(kib) * 1_024) / 1e6;
  } catch {
    return null;
  }
}
