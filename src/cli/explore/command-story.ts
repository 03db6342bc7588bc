/** A story that is a command: started once per try, in a process group of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { signalGroup } from '../../runner/application.js';
import { machineTime } from '../../time/system-clock.js';
import type { Ending } from '../../explore/types.js';

/** Characters of the output of a command that are kept: its end. */
const mostKept = 64 * 1024;
/** A process that does not end when it is asked to gets so long. */
const politeMs = 1_000;

export interface CommandRun {
  readonly command: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Files and URLs that tell of the application's state; `{key}` stands for the key of the try. */
  readonly observe: readonly string[];
}

/** Processes that run, to be ended with us. */
const running = new Set<ChildProcess>();

export function endProcesses(): void {
  for (const child of running) signalGroup(child, 'SIGKILL');
}

export interface Process {
  readonly child: ChildProcess;
  /** The end of its output. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Its exit code, or null for a signal. Rejects if it cannot be started. */
  readonly ended: Promise<number | null>;
}

export function startProcess(
  command: readonly string[],
  variables: Readonly<Record<string, string>>,
  shell = false,
): Process {
  const [file = '', ...args] = command;
  const child = spawn(file, args, {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its children end with it: a server that a test left behind would keep its port.
    detached: process.platform !== 'win32',
    shell: shell || process.platform === 'win32',
  });
  running.add(child);
  const kept = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      kept[name] = (kept[name] + text).slice(-mostKept);
    });
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => {
      running.delete(child);
      reject(error);
    });
    // Not "close": a child that was left behind may hold the pipes open.
    child.once('exit', (code) => {
      running.delete(child);
      machineTime.defer(() => resolve(code));
    });
  });
  return { child, output: () => kept, ended };
}

/** Ends a process and what it has started. */
export async function endProcess({ child, ended }: Process): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const gone = await within(politeMs, ended);
  if (gone === 'late') signalGroup(child, 'SIGKILL');
  // What it started may still run.
  else signalGroup(child, 'SIGKILL');
}

export async function within<T>(limitMs: number, promise: Promise<T>): Promise<T | 'late'> {
  let cancel = (): void => undefined;
  const late = new Promise<'late'>((resolve) => {
    cancel = machineTime.setTimer(limitMs, () => resolve('late'));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    cancel();
  }
}

/** @throws Error if the command cannot be started */
export async function runCommand({ command, variables, timeoutMs, observe }: CommandRun): Promise<Ending> {
  const story = startProcess(command, variables);
  const code = await within(timeoutMs, story.ended);
  // What it wrote last may still be in the pipe.
  await within(50, new Promise((resolve) => story.child.once('close', resolve)));
  await endProcess(story);
  const { stdout, stderr } = story.output();
  const said = await saidBy(stdout, observe, variables['MESSAGING_API_KEY'] ?? '');
  if (code === 'late') return { said, failure: null, timedOut: true };
  const last = lastLine(stderr) || lastLine(stdout);
  const failure = code === 0 ? null : `exit code ${code ?? 'of a signal'}${last === '' ? '' : ` (${last})`}`;
  return { said, failure, timedOut: false };
}

const lastLine = (text: string): string => (text.trimEnd().split('\n').at(-1) ?? '').trim().slice(0, 200);

/** The last line of output where that is a JSON object, and what is observed. */
export async function saidBy(stdout: string, observe: readonly string[], key: string): Promise<unknown> {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  const own = line.trimStart().startsWith('{') ? parsed(line) : null;
  if (observe.length === 0) return own;
  const seen = await Promise.all(
    observe.map(async (place) => [place, await look(place.replaceAll('{key}', key))] as const),
  );
  return { ...(own !== null && { output: own }), ...Object.fromEntries(seen) };
}

async function look(place: string): Promise<unknown> {
  try {
    if (!/^https?:/.test(place)) return parsed(readFileSync(place, 'utf8'));
    const response = await fetch(place, { signal: AbortSignal.timeout(5_000) });
    return { status: response.status, body: parsed(await response.text()) };
  } catch {
    return null;
  }
}

/** JSON, or the text itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.startsWith('{') ? null : text;
  }
}
