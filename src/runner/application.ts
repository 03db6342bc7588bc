/** An application that runs alongside a sandbox: started, awaited until it responds, stopped with all that it started. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { constants } from 'node:os';
import type { SystemClock } from '../time/system-clock.js';

/** Longest time between the request to end and the end, in machine milliseconds. */
const STOP_MS = 5_000;
/** What an application wrote last may still be in the pipe when it has ended, for so many machine milliseconds. */
const LAST_WORDS_MS = 50;
const LOOK_AGAIN_MS = 100;
/** Longest time of one look, in machine milliseconds. */
const LOOK_MS = 5_000;

export interface ApplicationParts {
  /** As a shell reads it (`npm start`), or the words of a command that runs without a shell. */
  readonly command: string | readonly string[];
  /** Variables in addition to those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  /** Called with each piece of its output, of both streams. */
  readonly onOutput: (text: string, stream: 'stdout' | 'stderr') => void;
  readonly host: SystemClock;
}

export interface Application {
  /** Resolves with the exit code when it ends, also by itself; 128 + n if signal n ended it. */
  readonly ended: Promise<number>;
  /** Why it could not be started; set when `ended` has resolved. */
  readonly startError: Error | null;
  /** Asks it to end, and ends it after `politeMs` (default 5 s). */
  stop(politeMs?: number): Promise<void>;
}

/** The application did not come up; the message says why. */
export class ApplicationError extends Error {
  override readonly name = 'ApplicationError';
}

export function startApplication({ command, variables, onOutput, host }: ApplicationParts): Application {
  const [file = '', ...args] = typeof command === 'string' ? [command] : command;
  const child = spawn(file, args, {
    // On Windows, what npm installs are scripts that only a shell can run.
    shell: typeof command === 'string' || process.platform === 'win32',
    // A group of its own: a signal reaches what the shell started, and Ctrl-C in the terminal does not.
    detached: process.platform !== 'win32',
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => onOutput(text, name));
  }
  const endNow = (): void => signalGroup(child, 'SIGKILL');
  process.once('exit', endNow);
  let startError: Error | null = null;
  const ended = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      startError = error;
      onOutput(`${error.message}\n`, 'stderr');
      resolve(127);
    });
    child.once('exit', (code, signal) => {
      const exitCode = code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
      const cancel = host.setTimer(LAST_WORDS_MS, () => resolve(exitCode));
      // A child that was left behind may hold the pipes open.
      child.once('close', () => {
        cancel();
        resolve(exitCode);
      });
    });
  });
  return {
    ended,
    get startError() {
      return startError;
    },
    async stop(politeMs = STOP_MS) {
      signalGroup(child, 'SIGTERM');
      const cancel = host.setTimer(politeMs, endNow);
      await ended;
      cancel();
      // What the shell left behind, such as a server in the background.
      endNow();
      process.off('exit', endNow);
    },
  };
}

/** Signals a shell and all that it started; that they have ended already is not an error. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    // Windows has no groups, and no signal but the end.
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    else process.kill(-child.pid, signal);
  } catch {
    // Nothing of it runs any more.
  }
}

export interface WaitParts {
  readonly url: string;
  /** Whether a response with this status counts. Default: below 500. */
  readonly counts?: (status: number) => boolean;
  /** Longest wait, in machine milliseconds. */
  readonly timeoutMs: number;
  readonly host: SystemClock;
  readonly application?: Application | null;
  /** Ends the wait, without an error. */
  readonly signal: AbortSignal;
}

/** @throws ApplicationError if the URL does not respond in time, or the application ends first */
export async function waitForUrl({
  url,
  counts = below500,
  timeoutMs,
  host,
  application = null,
  signal,
}: WaitParts): Promise<void> {
  const deadlineMs = host.monotonic() + timeoutMs;
  const end: { exitCode?: number } = {};
  void application?.ended.then((exitCode) => Object.assign(end, { exitCode }));
  for (;;) {
    const found = await look(url, counts);
    if (signal.aborted || found === null) return;
    if (end.exitCode !== undefined) {
      throw new ApplicationError(`The application ended with ${end.exitCode} before ${url} responded.`);
    }
    if (host.monotonic() >= deadlineMs) {
      throw new ApplicationError(
        `${url} did not respond within ${timeoutMs / 1000} s: ${found}. Check the address, and that the application is starting.`,
      );
    }
    await new Promise<void>((resolve) => void host.setTimer(LOOK_AGAIN_MS, resolve));
  }
}

const isTls = (code = ''): boolean => code === 'EPROTO' || code.startsWith('ERR_SSL');

const below500 = (status: number): boolean => status < 500;

/** Returns null once it responds, else what was found. The certificate of a local server is not checked. */
function look(url: string, counts: (status: number) => boolean): Promise<string | null> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve) => {
    const call = request(url, { agent: false, timeout: LOOK_MS, rejectUnauthorized: false }, (response) => {
      const { statusCode = 500 } = response;
      response.destroy();
      resolve(counts(statusCode) ? null : `it responded with ${statusCode}`);
    });
    call.once('timeout', () => call.destroy(new Error('no response')));
    // A server without TLS is there too: deliveries reach it under its https:// URL.
    call.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(isTls(code) ? null : code === 'ECONNREFUSED' ? 'nothing listens there' : message),
    );
    call.end();
  });
}
