/** A story for a server application: each try starts it, and its users act over HTTP. */
import { within } from '../time/pause.js';
import { ApplicationError, freePort, waitForUrl } from './application.js';
import { readStory } from './story-file.js';
import { Users } from './story-users.js';
import {
  callsMade,
  inBrackets,
  restartAfter,
  restartBy,
  saidBy,
  startProcess,
  type PlayStory,
  type StoryProcess,
} from './story.js';

export interface ServerStory {
  /** The command line that starts it; `{port}` stands for a free port. */
  readonly app: string;
  /** The URL that responds when it is ready. */
  readonly waitFor: string | null;
  /** The path of the story file. */
  readonly story: string;
  /** Files and URLs that show the application's state. */
  readonly observe: readonly string[];
  /** The command that restarts the application; null to stop and start it. */
  readonly restart: string | null;
  /** Whether the account has the scenario of the story already, with the fault of a file that reproduces a break. */
  readonly isSetUp?: boolean;
}

/** Time limit for the application to become ready. */
const startMs = 30_000;

/** A play throws StoryError if the story cannot be played at all. */
export function serverStory({ app, waitFor, story, observe, restart, isSetUp }: ServerStory): PlayStory {
  const { scenario, steps, state, endMs } = readStory(story);
  return async ({ variables, account, placed, timeoutMs, patience }) => {
    const port = (waitFor ?? '').includes('{port}') ? await freePort() : null;
    const filled = (text: string) => text.replaceAll('{port}', String(port));
    const url = waitFor === null ? null : filled(waitFor);
    const environment = { ...variables, ...(port !== null && { PORT: String(port) }) };
    // The application waits in real time, so account time passes with it, and the story advances the account between
    // the steps. A clock that jumps would play the timeline before the application has started.
    await account.call('PUT', '/_sandbox/clock', { mode: 'real' });
    if (isSetUp !== true) await account.call('PUT', '/_sandbox/scenario', scenario);
    const beganMs = Date.parse(await account.clock.now());
    let process = startProcess(filled(app), environment);
    const failed = (failure: string) => ({ said: null, failure, timedOut: false });
    try {
      const problem = await notReady(process, url);
      if (problem !== null) return failed(`the application did not start (${problem})`);
      const users = new Users(account, url === null ? '' : new URL(url).origin);
      const count = restartAfter(placed);
      let restarted = false;
      const afterStep = async () => {
        if (count === null || restarted || !(await callsMade(account, count, AbortSignal.timeout(1)))) return;
        restarted = true;
        if (restart !== null) return restartBy(restart, environment);
        await process.stop();
        process = startProcess(filled(app), environment);
        await notReady(process, url);
      };
      const playing = users.play({ steps, beganMs, endMs, patience, afterStep });
      const played = await within(timeoutMs + patience.realMs, playing);
      if (played === 'late') return { said: null, failure: null, timedOut: true, restarted };
      const states = await Promise.all(state.map(async (path) => [path, await users.get(path)] as const));
      const seen = (await saidBy(process.output.stdout, observe, variables['MESSAGING_API_KEY'] ?? '')) as
        object | null;
      const said = { ...(observe.length > 0 && seen), ...Object.fromEntries(states) };
      const code = await within(1, process.ended);
      const failure =
        code === 'late' ? played : `the application ended with exit code ${code}${inBrackets(process.lastLine)}`;
      const ended = code !== 'late';
      return { said: Object.keys(said).length === 0 ? null : said, failure, timedOut: false, restarted, ended };
    } finally {
      await process.stop();
    }
  };
}

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
