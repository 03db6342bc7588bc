/** Stories that processes play: the variables that start a play, and the result that it reports. */
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { SandboxAccount } from '../client/account.js';
import type { Ending, Patience, Placed } from '../explore/types.js';
import { pause, within } from '../time/pause.js';
import { startApplication, type Application } from './application.js';

/** One play of a story, in an account of its own. */
export interface StoryPlay {
  /** Environment variables that give the processes the sandbox's URL and the account's key. */
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

/** Number of characters kept from the end of a process's output. */
const mostKept = 64 * 1024;
/** Time limit for a process to exit after it is asked to. */
const politeMs = 1_000;
const lookAgainMs = 50;

/** A process of a story, with the last part of its output. */
export interface StoryProcess extends Application {
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** The last line written, preferably to stderr. */
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
  });
  return {
    output,
    ended: application.ended,
    get startError() {
      return application.startError;
    },
    get lastLine() {
      const lines = stripVTControlCharacters(output.stderr || output.stdout).split('\n');
      const line = lines.findLast((text) => /\p{L}{2}/u.test(text)) ?? '';
      return line.trim().slice(0, 200);
    },
    stop: () => application.stop(politeMs),
  };
}

/** Returns text that follows a sentence in brackets, or nothing. */
export const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`);

/** Number of calls after which this play restarts the application; null for never. */
export function restartAfter(placed: readonly Placed[]): number | null {
  return placed.find(({ fault }) => fault.restart === true)?.point.nth ?? null;
}

/** Runs the command that restarts the application. @throws StoryError if it fails */
export async function restartBy(command: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const process = startProcess(command, variables);
  const code = await process.ended;
  if (code !== 0)
    throw new StoryError(`--restart: "${command}" ended with exit code ${code}${inBrackets(process.lastLine)}.`);
}

/** Resolves with true after that many calls, or with false if `over` resolves first. */
export async function callsMade(account: SandboxAccount, count: number, over: AbortSignal): Promise<boolean> {
  while (!over.aborted) {
    if ((await account.requests({ limit: count })).length >= count) return true;
    await pause(lookAgainMs);
  }
  return false;
}

/**
 * Collects the last line of output if it is a JSON object, and the observed state; `{key}` stands for the key of the
 * play.
 */
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

/** Parses JSON; returns any other text unchanged. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.startsWith('{') ? null : text;
  }
}

export interface CommandStory {
  readonly command: readonly string[];
  /** Files and URLs that show the application's state. */
  readonly observe: readonly string[];
  /** The command that restarts the application. */
  readonly restart: string | null;
}

/** A story that is a command: each try starts it in its own process group. A play throws StoryError if the command cannot be started. */
export function commandStory({ command, observe, restart }: CommandStory): PlayStory {
  return async ({ variables, account, placed, timeoutMs }) => {
    const story = startProcess(command, variables);
    const over = new AbortController();
    const count = restart === null ? null : restartAfter(placed);
    const restarting =
      count === null || restart === null
        ? Promise.resolve(false)
        : callsMade(account, count, over.signal).then(async (made) => {
            if (made) await restartBy(restart, variables);
            return made;
          });
    // `restarting` is awaited after the command has exited.
    restarting.catch(() => undefined);
    const code = await within(timeoutMs, story.ended);
    over.abort();
    const [restarted] = await Promise.all([restarting, story.stop()]);
    if (story.startError !== null)
      throw new StoryError(`"${command[0] ?? ''}" cannot be run: ${story.startError.message}.`);
    const { output, lastLine } = story;
    const said = await saidBy(output.stdout, observe, variables['MESSAGING_API_KEY'] ?? '');
    if (code === 'late') return { said, failure: null, timedOut: true, restarted };
    const words = code > 128 ? `a signal ended it (${code})` : `exit code ${code}`;
    const failure = code === 0 ? null : `${words}${inBrackets(lastLine)}`;
    return { said, failure, timedOut: false, restarted };
  };
}
