/** A story for a server application: each try starts it, and its users act over HTTP as in `scenario run --app`. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Placed } from '../explore/types.js';
import { formatFaulty } from '../scenario/schema/problems.js';
import { parseOffset } from '../scenario/schema/durations.js';
import { loadScenario } from '../scenario/reader/load.js';
import { wholePoint } from '../explore/points.js';
import { StoryError, type PlayStory } from './explore-application.js';
import { ApplicationError } from './application.js';
import { ApplicationProcess } from './application-process.js';
import { within } from '../time/system-clock.js';
import { inBrackets, inTime, lastOf, reasonIn, saidBy } from './story.js';
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

/** Time limits for the application to become ready, and to stop. */
const startMs = 30_000;
const stopMs = 1_000;

/** A play throws StoryError if the story cannot be played at all. */
export function serverStory({ app, waitFor, story, observe, graceMs }: ServerStory): PlayStory {
  const { scenario, steps, state, endMs } = story;
  let firstCallMs = 1_500;
  return async ({ variables, account, calls, placed, patience }) => {
    // Account time passes with the machine, and the story advances it between the steps when the application is idle.
    await account.call('PUT', '/_sandbox/clock', { mode: 'real' });
    await account.call('PUT', '/_sandbox/scenario', scenario);
    const beganMs = Date.parse(await account.clock.now());
    let output = '';
    const application = new ApplicationProcess({
      command: app,
      waitFor: waitFor === null ? null : { url: waitFor, timeoutMs: startMs },
      variables: () => variables,
      onOutput: (text) => (output = lastOf(output + text)),
      codeOf: (phone) =>
        account.otp(phone).then(
          (otp) => otp.code,
          () => null,
        ),
      signal: patience.signal,
    });
    const said = async () => {
      const seen = observe.length > 0 ? await saidBy('', observe, variables) : null;
      const all = { ...seen, ...(state.length > 0 && (await application.read(state))) };
      return Object.keys(all).length === 0 ? null : all;
    };
    try {
      await application.start();
      const trouble = await application.ready().catch((error: unknown) => {
        if (!(error instanceof ApplicationError)) throw error;
        return reasonIn(output) || error.message.replace(/\.$/, '');
      });
      if (typeof trouble === 'string') {
        return { said: null, failure: `the application did not start (${trouble})`, timedOut: false, output };
      }
      let restarted = false;
      const time = new StoryTime({ account, calls, application, placed, patience, said, graceMs, firstCallMs });
      const afterStep = async (nth: number) => {
        if (placed?.fault.restart !== true || placed.point.nth !== nth) return;
        restarted = true;
        await time.restart();
      };
      const playing = time.play({ steps, beganMs, endMs, afterStep });
      playing.catch(() => undefined);
      const played = await inTime(patience.limitMs + 20_000, playing, patience.signal);
      // One that calls after its start does so in each play, sooner or later.
      if (placed === null) firstCallMs = time.hasCalled ? 6_000 : 500;
      const ended = await within(1, application.ended);
      const common = { restarted, output: `${output}\n${time.answers.join('\n')}` };
      if (played === 'late') return { said: null, failure: null, timedOut: true, ...common };
      if (ended === 'late') return { said: await said(), failure: time.failure, timedOut: false, ...common };
      const failure = `the application ended with exit code ${ended}${inBrackets(reasonIn(output))}`;
      return { said: null, failure, crashed: true, timedOut: false, ...common };
    } finally {
      await application.stop(stopMs);
    }
  };
}
