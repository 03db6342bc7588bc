/** Starts an application alongside a sandbox, waits until it responds, and stops it with all its child processes. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import { machineTime, pause } from '../time/system-clock.js';

/** Machine milliseconds between the request to stop and the kill. */
const STOP_MS = 5_000;
/** Machine milliseconds to read the rest of the output after the application has exited. */
const LAST_WORDS_MS = 500;
const LOOK_AGAIN_MS = 100;
/** Number of characters kept from the end of an output. */
const MOST_KEPT = 64 * 1024;
const LOOK_MS = 5_000;

export interface ApplicationParts {
  /** A shell command line (`npm start`), or the arguments of a command that runs without a shell. */
  readonly command: string | readonly string[];
  /** Variables in addition to those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  /** Called with each chunk of output from both streams. */
  readonly onOutput?: (text: string) => void;
}

export interface Application {
  /** Resolves with the exit code, whatever ended the application; 128 + n if signal n ended it. */
  readonly ended: Promise<number>;
  /** The last part of what it wrote. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** The reason why it could not be started; set when `ended` has resolved. */
  readonly startError: Error | null;
  /** Asks the application to stop, and kills it after `politeMs` (default 5 s). */
  stop(politeMs?: number): Promise<void>;
}

export const lastOf = (text: string): string => text.slice(-MOST_KEPT);

/** The application did not start; the message says why. */
export class ApplicationError extends Error {
  override readonly name = 'ApplicationError';
}

export function startApplication({ command, variables, onOutput }: ApplicationParts): Application {
  const [file = '', ...args] = typeof command === 'string' ? [command] : command;
  const child = spawn(file, args, {
    // On Windows, commands that npm installs are scripts that only a shell can run.
    shell: typeof command === 'string' || process.platform === 'win32',
    // A separate process group: signals reach what the shell started, and Ctrl-C in the terminal does not.
    detached: process.platform !== 'win32',
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] = lastOf(output[name] + text);
      onOutput?.(text);
    });
  }
  const endNow = (): void => signalGroup(child, 'SIGKILL');
  process.once('exit', endNow);
  let startError: Error | null = null;
  const ended = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      startError = error;
      onOutput?.(`${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => {
      const exitCode = code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
      const cancel = machineTime.setTimer(LAST_WORDS_MS, () => resolve(exitCode));
      // A child process that is still running may keep the pipes open.
      child.once('close', () => {
        cancel();
        resolve(exitCode);
      });
    });
  });
  return {
    ended,
    output,
    get startError() {
      return startError;
    },
    async stop(politeMs = STOP_MS) {
      signalGroup(child, 'SIGTERM');
      const cancel = machineTime.setTimer(politeMs, endNow);
      await ended;
      cancel();
      // Stops background processes that the shell left, such as a server.
      endNow();
      process.off('exit', endNow);
    },
  };
}

/** Signals a shell and all its child processes; it is not an error if they have already exited. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    // Windows has no process groups, and can only kill.
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    else process.kill(-child.pid, signal);
  } catch {
    // All of its processes have already exited.
  }
}

export interface WaitParts {
  readonly url: string;
  /** Returns whether a response with this status means ready. Default: below 500. */
  readonly counts?: (status: number) => boolean;
  /** Longest wait, in machine milliseconds. */
  readonly timeoutMs: number;
  readonly application?: Application | null;
  readonly signal: AbortSignal;
}

/** @throws ApplicationError if the URL does not respond in time, or the application exits first */
export async function waitForUrl({
  url,
  counts = (status) => status < 500,
  timeoutMs,
  application = null,
  signal,
}: WaitParts): Promise<void> {
  const deadlineMs = machineTime.monotonic() + timeoutMs;
  const end: { exitCode?: number } = {};
  void application?.ended.then((exitCode) => Object.assign(end, { exitCode }));
  for (;;) {
    const found = await look(url, counts);
    if (signal.aborted || found === null) return;
    if (end.exitCode !== undefined) {
      throw new ApplicationError(`The application ended with ${end.exitCode} before ${url} responded.`);
    }
    if (machineTime.monotonic() >= deadlineMs) {
      throw new ApplicationError(
        `${url} did not respond within ${timeoutMs / 1000} s: ${found}. Check the address, and whether the application is starting.`,
      );
    }
    await pause(LOOK_AGAIN_MS);
  }
}

const isTls = (code = ''): boolean => code === 'EPROTO' || code.startsWith('ERR_SSL');

/** Returns null once the URL responds, otherwise the problem. The certificate of a local server is not checked. */
function look(url: string, counts: (status: number) => boolean): Promise<string | null> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const call = request(url, { agent: false, timeout: LOOK_MS, rejectUnauthorized: false }, (response) => {
      const { statusCode = 500 } = response;
      response.destroy();
      resolve(counts(statusCode) ? null : `it responded with ${statusCode}`);
    });
    call.once('timeout', () => call.destroy(new Error('no response')));
    // The server may use plain HTTP: deliveries to its https:// URL reach it too.
    call.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(isTls(code) ? null : code === 'ECONNREFUSED' ? 'nothing listens there' : message),
    );
    call.end();
  });
}

/** Ports that systems do not hand out on their own: those begin at 32768 on Linux, at 49152 elsewhere. */
const ports = { first: 20_000, count: 12_000 };
let next = process.pid * 101;

/** Returns a port that is not in use now, and that no other program gets by chance before the application listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < ports.count; tries += 1) {
    const port = ports.first + (next++ % ports.count);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port from ${ports.first} to ${ports.first + ports.count - 1} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
