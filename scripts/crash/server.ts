/**
 * The sandbox to be killed, in a separate process with a data directory, from the sources, so that no build is needed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

export interface Victim {
  readonly url: string;
  /** Kills it without warning and waits until it has ended. */
  kill(): Promise<void>;
  /**
   * Stops it like a user.
   * @throws Error if its exit code is not 0
   */
  stop(): Promise<void>;
}

export type Fsync = 'always' | 'interval';

/** @throws Error with its output if it ends before it is ready */
export async function startVictim(dir: string, fsync: Fsync): Promise<Victim> {
  const flags = ['start', '--port', '0', '--clock', 'frozen', '--log-level', 'warn', '--data', dir, '--fsync', fsync];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SANDBOX_|PORT$)/.test(name)));
  const child = spawn(process.execPath, ['--import', loader, main, ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    let told = '';
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString();
      const found = /listening on (http:\S+)\. Ready\./.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(([code]) =>
      reject(new Error(`the sandbox ended with ${String(code)} before it was ready: ${said}`)),
    );
  });
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      if (code !== 0) throw new Error(`the sandbox stopped with ${String(code)}: ${said}`);
    },
  };
}
