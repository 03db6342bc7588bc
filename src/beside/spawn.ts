/** Stops a program with all its child processes. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { machineTime } from '../time/system-clock.js';

/** Machine milliseconds between the request to stop and the kill. */
const longestStopMs = 5_000;
/** Machine milliseconds to read the rest of the output after the program has exited. */
const lastWordsMs = 500;
const mostKept = 64 * 1024;

export interface ProgramParts {
  /** A shell command line (`npm start`), or the arguments of a command that runs without a shell. */
  readonly command: string | readonly string[];
  /** These are added to the variables of this process. */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * The stream of ours for the stdout of a program in the foreground, which has our terminal, with its Ctrl-C, as its own.
   * Without it, the program runs in the background.
   */
  readonly foreground?: 'stdout' | 'stderr';
  /** Called with each chunk of output; of a program in the foreground, with each chunk of its stdout, which is then no terminal for it. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

export interface Running {
  /** Resolves with the exit code, whatever ended the program; 128 + n if signal n ended it. */
  readonly ended: Promise<number>;
  /** The last part of its output; empty where that goes to our terminal. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Set when `ended` has resolved. */
  readonly startError: NodeJS.ErrnoException | null;
  signal(name: NodeJS.Signals): void;
  /** Asks the program to stop, and kills it after `politeMs` (default 5 s). */
  stop(politeMs?: number): Promise<void>;
}

export const lastOf = (text: string): string => text.slice(-mostKept);

/** The application did not start; the message says why. */
export class ApplicationError extends Error {
  override readonly name = 'ApplicationError';
}

/** The exit code that shells give to a process ended by a signal. */
export const exitCodeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

const isWindows = process.platform === 'win32';

/** Ends the programs in the background that still run when this process ends. One listener serves all of them. */
const running = new Set<() => void>();
const endAll = (): void => running.forEach((end) => end());

function endAtExit(end: () => void): void {
  if (!process.listeners('exit').includes(endAll)) process.once('exit', endAll);
  running.add(end);
}

export function startProgram({ command, variables, foreground, onOutput }: ProgramParts): Running {
  const [file = '', ...args] = typeof command === 'string' ? [command] : command;
  const isBehind = foreground === undefined;
  const child = spawn(file, args, {
    // On Windows, commands that npm installs are scripts that only a shell can run.
    shell: typeof command === 'string' || isWindows,
    // A separate process group: signals reach what the shell started, and Ctrl-C in the terminal does not.
    detached: isBehind && !isWindows,
    env: { ...process.env, ...variables },
    stdio: isBehind
      ? ['ignore', 'pipe', 'pipe']
      : ['inherit', onOutput ? 'pipe' : foreground === 'stderr' ? 2 : 'inherit', 'inherit'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] = lastOf(output[name] + text);
      if (!isBehind) process[foreground].write(text);
      onOutput?.(text);
    });
  }
  const signal = (name: NodeJS.Signals): void => {
    if (isBehind) signalGroup(child, name);
    else child.kill(name);
  };
  const endNow = (): void => signal('SIGKILL');
  if (isBehind) endAtExit(endNow);
  let startError: Error | null = null;
  const ended = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      startError = error;
      if (isBehind) onOutput?.(`${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, by) => {
      const exitCode = code ?? (by === null ? 1 : exitCodeOfSignal(by));
      const cancel = machineTime.setTimer(lastWordsMs, () => resolve(exitCode));
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
    signal,
    async stop(politeMs = longestStopMs) {
      signal('SIGTERM');
      const cancel = machineTime.setTimer(politeMs, endNow);
      await ended;
      cancel();
      // Stops background processes that the shell left, such as a server.
      endNow();
      running.delete(endNow);
    },
  };
}

/** Signals a shell and all its child processes; it is not an error if they have already exited. */
function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    // Windows has no process groups, and can only kill.
    if (isWindows) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
    else process.kill(-child.pid, name);
  } catch {
    // All of its processes have already exited.
  }
}
