/** A server in a separate process, so that it does not share a thread with the load generator, and can be killed. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

export interface Server {
  readonly url: string;
  /** Milliseconds from the start of the process to its first 2xx. */
  readonly startMs: number;
  /** Returns the processor time of the process in milliseconds; only available if it was started with `cpuProbe`. */
  readonly cpuMs: () => Promise<number>;
  /** Sends the signal (default: SIGTERM) and waits for the end; returns the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Flags of Node with which a process reports its processor time. */
export const cpuProbe = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    "process.on('message', () => { const { user, system } = process.cpuUsage(); process.send((user + system) / 1000); }); process.channel.unref();",
  )}`,
];

/** The running servers, so that an interrupted benchmark stops all of them. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const longestStartMs = 60_000;

/**
 * Spawns the command and returns with its first 2xx to GET `readyPath`, which is asked for every two milliseconds.
 * @throws Error if the process ends before, or is not ready within a minute
 */
export async function startServer({ file, args }: Command, port: number, readyPath: string): Promise<Server> {
  const spawnedMs = performance.now();
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SANDBOX_|PORT$)/.test(name)));
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  running.add(child);
  const ended = once(child, 'close').then(() => running.delete(child));
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)));
  const url = `http://127.0.0.1:${port}`;
  while (!(await respondsWell(url + readyPath))) {
    if (child.exitCode !== null || performance.now() - spawnedMs > longestStartMs) {
      child.kill('SIGKILL');
      throw new Error(`${file} ${args.join(' ')} did not become ready\n${said}`);
    }
    await pause(2);
  }
  return {
    url,
    startMs: performance.now() - spawnedMs,
    async cpuMs() {
      const response = once(child, 'message');
      child.send('cpu');
      return ((await response) as [number])[0];
    },
    async stop(signal) {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

function respondsWell(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false, headers: { authorization: 'Bearer bench' } }, (response) => {
      const { statusCode = 0 } = response;
      response.resume().on('close', () => resolve(statusCode >= 200 && statusCode < 300));
    });
    asked.on('error', () => resolve(false)).end();
  });
}
