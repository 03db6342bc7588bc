/** A story for a server application: each try starts it, and its users act over HTTP as in `scenario run --app`. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Placed } from '../explore/types.js';
import { formatFaulty } from '../scenario/language/problems.js';
import { parseOffset } from '../scenario/language/texts.js';
import { loadScenario } from '../scenario/reader/load.js';
import { wholePoint } from '../explore/points.js';
import { StoryError, type PlayStory } from './explore-application.js';
import { ApplicationError, freePort, waitForUrl } from './application.js';
import { ApplicationUser } from './application-user.js';
import { within } from '../time/pause.js';
import { inBrackets, inTime, saidBy, startProcess, type StoryProcess } from './story.js';
import { StoryTime, type ApplicationStep } from './story-time.js';

export interface StoryFile {
  /** The scenario without the steps that reach the application. */
  readonly scenario: Readonly<Record<string, unknown>>;
  readonly timeline: readonly unknown[];
  readonly steps: readonly ApplicationStep[];
  /** Paths of the application that return its state at the end. */
  readonly state: readonly string[];
  /** Account time of the last timeline entry. */
  readonly endMs: number;
}

/** @throws StoryError with what is wrong in the file, and where */
export function readStory(file: string): StoryFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    // A story need not say its version; at the end, the key moves no other line.
    if (!/^["{]|^version:/m.test(text)) text = `${text.trimEnd()}\nversion: 1\n`;
  } catch (error) {
    throw new StoryError(`${file} cannot be read: ${(error as Error).message.split('\n')[0] ?? ''}`, { cause: error });
  }
  const result = loadScenario(text, { file, resolve: () => undefined });
  if ('problems' in result) throw new StoryError(`the story cannot be played.\n\n${formatFaulty(result, () => text)}`);
  const document = (parse(text, { maxAliasCount: 100 }) ?? {}) as Record<string, unknown>;
  const { state = [], timeline = [], ...rest } = document as { state?: string[]; timeline?: Record<string, unknown>[] };
  const entries = timeline.map((entry) => {
    const isStep = ['http', 'restart', 'wait', 'until'].some((name) => name in entry);
    if (typeof entry['at'] !== 'string' || 'every' in entry) {
      if (!isStep) return { entry, atMs: 0, isStep };
      throw new StoryError(`${file}: explore plays steps of the application at an offset only, such as at: +5m.`);
    }
    return { entry, atMs: parseOffset(entry['at']), isStep };
  });
  return {
    scenario: { version: 1, ...rest, timeline: entries.flatMap(({ entry, isStep }) => (isStep ? [] : [entry])) },
    timeline,
    steps: entries
      .flatMap(({ entry, atMs, isStep }) => (isStep ? [{ ...entry, atMs }] : []))
      .sort((a, b) => a.atMs - b.atMs),
    state,
    endMs: Math.max(0, ...entries.map(({ atMs }) => atMs)),
  };
}

/** Restarts of the application in the middle of the story. */
export function restartsIn({ steps }: StoryFile): Placed[] {
  const shares = [0.5, 0.25, 0.75].map((share) => Math.max(1, Math.round(share * steps.length)));
  return [...new Set(shares)].map((nth) => ({
    point: {
      ...wholePoint('application', `the application, after step ${nth},`, 'api.any', nth),
      atMs: steps[nth - 1]?.atMs ?? 0,
    },
    fault: { id: 'restart', words: 'is restarted', class: 'recoverable', rank: 1, lastsMs: 60_000, restart: true },
  }));
}

export interface ServerStory {
  /** The command line that starts it; `{port}` stands for a free port. */
  readonly app: string;
  /** The URL that responds when it is ready. */
  readonly waitFor: string | null;
  readonly story: StoryFile;
  /** Files and URLs that show the application's state. */
  readonly observe: readonly string[];
  /** Machine milliseconds that it gets to finish after the story, as long as it is not known how long it needs. */
  readonly graceMs: number;
}

/** Time limit for the application to become ready. */
const startMs = 30_000;

/** A play throws StoryError if the story cannot be played at all. */
export function serverStory({ app, waitFor, story, observe, graceMs }: ServerStory): PlayStory {
  const { scenario, steps, state, endMs } = story;
  let firstCallMs = 1_500;
  return async ({ variables, account, placed, patience }) => {
    const port = `${app} ${waitFor ?? ''}`.includes('{port}') ? await freePort() : null;
    const filled = (text: string) => text.replaceAll('{port}', String(port));
    const url = waitFor === null ? null : filled(waitFor);
    const environment = { ...variables, ...(port !== null && { PORT: String(port) }) };
    // Account time passes with the machine, and the story advances it between the steps when the application is idle.
    await account.call('PUT', '/_sandbox/clock', { mode: 'real' });
    await account.call('PUT', '/_sandbox/scenario', scenario);
    const beganMs = Date.parse(await account.clock.now());
    let process = startProcess(filled(app), environment);
    let written = '';
    try {
      const problem = await notReady(process, url);
      if (problem !== null)
        return { said: null, failure: `the application did not start (${problem})`, timedOut: false };
      const codeOf = (phone: string) =>
        account.otp(phone).then(
          ({ code }) => code,
          () => null,
        );
      const user = new ApplicationUser({ origin: url === null ? '' : new URL(url).origin, codeOf });
      const said = async () => {
        const seen = await saidBy('', observe, variables);
        const states = state.length === 0 ? {} : await user.read(state);
        return { ...(observe.length > 0 && seen), ...states };
      };
      let isRestarted = false;
      const time = new StoryTime({ account, user, placed, patience, said, graceMs, firstCallMs });
      const restart = async () => {
        written += outputOf(process);
        await process.stop();
        process = startProcess(filled(app), environment);
        const trouble = await notReady(process, url);
        if (trouble !== null) time.report(`the application did not start again (${trouble})`);
      };
      const afterStep = async (nth: number) => {
        if (placed?.fault.restart !== true || placed.point.nth !== nth) return;
        isRestarted = true;
        await restart();
      };
      const playing = time.play({ steps, beganMs, endMs, afterStep, restart });
      playing.catch(() => undefined);
      const played = await inTime(patience.limitMs + 20_000, playing, patience.signal);
      // One that calls after its start does so in each play, sooner or later.
      if (placed === null) firstCallMs = time.hasCalled ? 6_000 : 500;
      const ended = await within(1, process.ended);
      const output = `${written}${outputOf(process)}${time.answers.join('\n')}`;
      const common = { restarted: isRestarted, output };
      if (played === 'late') return { said: null, failure: null, timedOut: true, ...common };
      if (ended !== 'late') {
        const failure = `the application ended with exit code ${ended}${inBrackets(process.lastLine)}`;
        return { said: null, failure, crashed: true, timedOut: false, ...common };
      }
      const states = await said();
      const { failure } = time;
      return { said: Object.keys(states).length === 0 ? null : states, failure, timedOut: false, ...common };
    } finally {
      await process.stop();
    }
  };
}

const outputOf = ({ output: { stdout, stderr } }: StoryProcess): string => `${stdout}\n${stderr}\n`;

/** The reason why the application does not respond; null if it does. */
async function notReady(process: StoryProcess, url: string | null): Promise<string | null> {
  const ended = await within(100, process.ended);
  if (ended !== 'late') return process.lastLine === '' ? `it ended with exit code ${ended}` : process.lastLine;
  if (url === null) return null;
  try {
    const { signal } = new AbortController();
    await waitForUrl({ url, timeoutMs: startMs, application: process, signal });
    return null;
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error;
    return process.lastLine === '' ? error.message.replace(/\.$/, '') : process.lastLine;
  }
}
