/** Stories that processes play: the processes with their output, and the state that they report. */
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { within } from '../time/system-clock.js';
import { startApplication, type Application } from './application.js';
import { StoryError, type PlayStory } from './explore-application.js';

/** Number of characters kept from the end of a process's output. */
const mostKept = 64 * 1024;
/** Time limit for a process to exit after it is asked to. */
const politeMs = 1_000;

/** A process of a story, with the last part of its output. */
export interface StoryProcess extends Application {
  readonly output: { readonly stdout: string; readonly stderr: string };
}

export const lastOf = (text: string): string => text.slice(-mostKept);

/** Returns the line of an output that says best why a process failed. */
export function reasonIn(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n');
  const words = lines.filter((text) => /\p{L}{2}/u.test(text) && !/^\s+at |^Node\.js v/.test(text));
  const best = [/error|exception|panic/i, /fail/i].map((word) => words.findLast((text) => word.test(text)));
  return (best[0] ?? best[1] ?? words.at(-1) ?? '').trim().slice(0, 200);
}

export function startProcess(
  command: string | readonly string[],
  variables: Readonly<Record<string, string>>,
): StoryProcess {
  const output = { stdout: '', stderr: '' };
  const application = startApplication({
    command,
    variables,
    onOutput: (text, stream) => void (output[stream] = lastOf(output[stream] + text)),
  });
  return Object.assign(application, { output });
}

/** Returns text that follows a sentence in brackets, or nothing. */
export const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`);

/** What languages write when a process dies of an error that nothing handled. */
const CRASH =
  /^Traceback \(most recent call last\)|^panic: |^fatal error: |^Exception in thread "main"|^thread '.*' panicked|^Node\.js v\d/m;

/** @param code the exit code; more than 128 if a signal ended it */
export const isCrash = (code: number, { stderr }: StoryProcess['output']): boolean =>
  code > 128 || (code !== 0 && CRASH.test(stderr));

/**
 * Collects the last line of output if it is a JSON object, and the observed state; `{key}` stands for the key of the
 * play, `{tmp}` for its folder.
 */
export async function saidBy(
  stdout: string,
  observe: readonly string[],
  { MESSAGING_API_KEY: key = '', SANDBOX_TMP: tmp = '' }: Readonly<Record<string, string>>,
): Promise<Record<string, unknown> | null> {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  const own = line.trimStart().startsWith('{') ? (parsed(line) as Record<string, unknown> | null) : null;
  if (observe.length === 0) return own;
  const places = observe.map((place) => place.replaceAll('{key}', key).replaceAll('{tmp}', tmp));
  const seen = await Promise.all(places.map(async (place, i) => [observe[i] ?? place, await look(place)] as const));
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
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.startsWith('{') ? null : text;
  }
}

/** Resolves with `late` after the time limit, and rejects when the signal is aborted. */
export async function inTime<T>(limitMs: number, work: Promise<T>, signal: AbortSignal): Promise<T | 'late'> {
  signal.throwIfAborted();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([within(limitMs, work), aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Runs a command of the user that must succeed. @throws StoryError */
export async function runCommand(
  flag: string,
  command: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const process = startProcess(command, variables);
  const code = await process.ended;
  await process.stop(politeMs);
  if (code !== 0) {
    throw new StoryError(
      `${flag}: "${command}" ended with exit code ${code}${inBrackets(reasonIn(process.output.stderr || process.output.stdout))}.`,
    );
  }
}

export interface CommandStory {
  readonly command: readonly string[];
  /** Files and URLs that show the application's state. */
  readonly observe: readonly string[];
}

/** A story that is a command: each try starts it in its own process group. A play throws StoryError if it cannot be started. */
export function commandStory({ command, observe }: CommandStory): PlayStory {
  return async ({ variables, patience }) => {
    const story = startProcess(command, variables);
    let code: number | 'late';
    try {
      code = await inTime(patience.limitMs, story.ended, patience.signal);
    } finally {
      await story.stop(politeMs);
    }
    if (story.startError !== null) {
      throw new StoryError(`"${command[0] ?? ''}" cannot be run: ${story.startError.message}.`);
    }
    const { output } = story;
    const said = await saidBy(output.stdout, observe, variables);
    const text = `${said === null ? output.stdout : output.stdout.trimEnd().split('\n').slice(0, -1).join('\n')}\n${output.stderr}`;
    if (code === 'late') return { said, failure: null, timedOut: true, output: text };
    const words = code > 128 ? `a signal ended it (${code})` : `exit code ${code}`;
    const failure = code === 0 ? null : `${words}${inBrackets(reasonIn(output.stderr || output.stdout))}`;
    return { said, failure, exited: code !== 0, crashed: isCrash(code, output), timedOut: false, output: text };
  };
}
