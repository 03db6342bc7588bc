/** What is common to the stories that processes play: how one is asked to play, and what it says at its end. */
import { readFileSync } from 'node:fs';
import type { SandboxAccount } from '../client/account.js';
import type { Ending, Patience, Placed } from '../explore/types.js';
import { machineTime } from '../time/system-clock.js';
import { startApplication, type Application } from './application.js';

/** One play of a story, in an account of its own. */
export interface StoryPlay {
  /** By these the processes find the sandbox and their account. */
  readonly variables: Readonly<Record<string, string>>;
  readonly account: SandboxAccount;
  readonly placed: readonly Placed[];
  readonly timeoutMs: number;
  readonly patience: Patience;
}

export type PlayStory = (play: StoryPlay) => Promise<Ending>;

/** The story cannot be played at all; the message says why. */
export class StoryError extends Error {
  override readonly name = 'StoryError';
}

/** Characters of the output of a process that are kept: its end. */
const mostKept = 64 * 1024;
/** A process that does not end when it is asked to gets so long. */
const politeMs = 1_000;
const lookAgainMs = 50;

/** A process of a story, with the end of its output. */
export interface StoryProcess extends Application {
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** The last line that it wrote, of the error stream if there is one. */
  readonly lastLine: string;
}

export function startProcess(
  command: string | readonly string[],
  variables: Readonly<Record<string, string>>,
): StoryProcess {
  const output = { stdout: '', stderr: '' };
  const application = startApplication({
    command,
    variables,
    onOutput: (text, stream) => void (output[stream] = (output[stream] + text).slice(-mostKept)),
    host: machineTime,
  });
  return {
    output,
    ended: application.ended,
    get startError() {
      return application.startError;
    },
    get lastLine() {
      const line = (output.stderr || output.stdout).trimEnd().split('\n').at(-1) ?? '';
      return line.trim().slice(0, 200);
    },
    stop: () => application.stop(politeMs),
  };
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => void machineTime.setTimer(ms, () => resolve()));

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

/** After how many calls the application is restarted in this play; null: never. */
export function restartAfter(placed: readonly Placed[]): number | null {
  return placed.find(({ fault }) => fault.restart === true)?.point.nth ?? null;
}

/** Runs the command that restarts the application. @throws StoryError if it fails */
export async function restartBy(command: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const process = startProcess(command, variables);
  const code = await process.ended;
  if (code !== 0) throw new StoryError(`--restart: "${command}" ended with exit code ${code} (${process.lastLine}).`);
}

/** Resolves with true when the application has made so many calls, and with false when `over` does first. */
export async function callsMade(account: SandboxAccount, count: number, over: AbortSignal): Promise<boolean> {
  while (!over.aborted) {
    if ((await account.requests({ limit: count })).length >= count) return true;
    await pause(lookAgainMs);
  }
  return false;
}

/** The last line of output where that is a JSON object, and what is observed; `{key}` stands for the key of the play. */
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
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.startsWith('{') ? null : text;
  }
}
