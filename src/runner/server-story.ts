/** A story for an application that is a server: it is started for each try, and its users act by HTTP. */
import { createServer } from 'node:net';
import type { SandboxAccount } from '../client/account.js';
import { readFacts } from '../explore/facts.js';
import type { Patience } from '../explore/types.js';
import { machineTime } from '../time/system-clock.js';
import { ApplicationError, waitForUrl } from './application.js';
import { readStory, type HttpStep } from './story-file.js';
import {
  callsMade,
  parsed,
  pause,
  restartAfter,
  restartBy,
  saidBy,
  startProcess,
  within,
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
  /** Files and URLs that tell of the application's state. */
  readonly observe: readonly string[];
  /** The command that restarts it; null: it is stopped and started. */
  readonly restart: string | null;
}

/** The application is given so long to be ready. */
const startMs = 30_000;
/** After each step, so long a quiet of the application. */
const quiet = '200ms';
/** After the last step, in real time: the waits of an application that has a clock of its own. */
const graceMs = 3_000;
/** An application that makes a failed call again gets so long, and a code that is on its way. */
const retryMs = 3_000;
/** Users try again so often when they are asked to. */
const mostTries = 4;
/** Beyond the last retry of a delivery. */
const afterwards = '30h';

/** A play throws StoryError for a story that cannot be played at all. */
export function serverStory({ app, waitFor, story, observe, restart }: ServerStory): PlayStory {
  const { scenario, steps, state, endMs } = readStory(story);
  return async ({ variables, account, placed, timeoutMs, patience }) => {
    const port = (waitFor ?? '').includes('{port}') ? await freePort() : null;
    const filled = (text: string) => text.replaceAll('{port}', String(port));
    const url = waitFor === null ? null : filled(waitFor);
    const environment = { ...variables, ...(port !== null && { PORT: String(port) }) };
    // The application waits in real time, so the account's time passes with it; the story advances it between the steps. A clock
    // that jumps would play the timeline before the application is there.
    await account.call('PUT', '/_sandbox/clock', { mode: 'real' });
    await account.call('PUT', '/_sandbox/scenario', scenario);
    const startedMs = Date.parse(await account.clock.now());
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
      const playing = users.play({ steps, startedMs, endMs, patience, afterStep });
      const played = await within(timeoutMs + patience.realMs, playing);
      if (played === 'late') return { said: null, failure: null, timedOut: true, restarted };
      const states = await Promise.all(state.map(async (path) => [path, await users.get(path)] as const));
      const seen = (await saidBy(process.output.stdout, observe, variables['MESSAGING_API_KEY'] ?? '')) as
        object | null;
      const said = { ...(observe.length > 0 && seen), ...Object.fromEntries(states) };
      const code = await within(1, process.ended);
      const failure = code === 'late' ? played : `the application ended with exit code ${code} (${process.lastLine})`;
      const ended = code !== 'late';
      return { said: Object.keys(said).length === 0 ? null : said, failure, timedOut: false, restarted, ended };
    } finally {
      await process.stop();
    }
  };
}

/** Why the application does not respond; null: it does. */
async function notReady(process: StoryProcess, url: string | null): Promise<string | null> {
  const ended = await within(100, process.ended);
  if (ended !== 'late') return process.lastLine === '' ? `it ended with exit code ${ended}` : process.lastLine;
  if (url === null) return null;
  try {
    const { signal } = new AbortController();
    await waitForUrl({ url, timeoutMs: startMs, host: machineTime, application: process, signal });
    return null;
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error;
    return process.lastLine === '' ? error.message.replace(/\.$/, '') : process.lastLine;
  }
}

interface Play {
  readonly steps: readonly HttpStep[];
  readonly startedMs: number;
  readonly endMs: number;
  readonly patience: Patience;
  readonly afterStep: () => Promise<void>;
}

class Users {
  readonly #account: SandboxAccount;
  readonly #origin: string;
  readonly #saved = new Map<string, string>();

  constructor(account: SandboxAccount, origin: string) {
    this.#account = account;
    this.#origin = origin;
  }

  /** @returns what went wrong, or null */
  async play({ steps, startedMs, endMs, patience, afterStep }: Play): Promise<string | null> {
    let failure: string | null = null;
    for (const step of steps) {
      await this.#advance(startedMs + step.atMs);
      const status = await this.#act(step);
      if (status === null || status >= 500)
        failure ??= `${step.method} ${step.url} got ${status === null ? 'no response' : `the response ${status}`}`;
      await afterStep();
    }
    await this.#advance(startedMs + endMs);
    await this.#settled(patience, startedMs);
    await this.#account.clock.advance({ by: afterwards, settleReal: quiet });
    return failure;
  }

  async get(path: string): Promise<unknown> {
    const { status, body } = await this.#call({ atMs: 0, method: 'GET', url: path, headers: {}, save: {} });
    return { status, body };
  }

  async #advance(toMs: number): Promise<void> {
    await this.#retried();
    const nowMs = Date.parse(await this.#account.clock.now());
    await this.#account.clock.advance({ by: `${Math.max(1, toMs - nowMs)}ms`, settleReal: quiet });
  }

  /** An application whose latest call failed is about to make it again: nobody acts before that, for a while. */
  async #retried(): Promise<void> {
    await this.#until(retryMs, async () => {
      const [latest] = await this.#account.requests({ order: 'desc', limit: 1 });
      return latest !== undefined && (latest.status === null || latest.status === 429 || latest.status >= 500)
        ? null
        : true;
    });
  }

  /** Looks again and again until there is something, or the real time is over. */
  async #until<T>(limitMs: number, look: () => Promise<T | null>): Promise<T | null> {
    const deadline = machineTime.monotonic() + limitMs;
    for (;;) {
      const found = await look();
      if (found !== null || machineTime.monotonic() >= deadline) return found;
      await pause(200);
    }
  }

  /** Lets an application that waits in real time come to its end, for a while, or until that is the expected one. */
  async #settled({ realMs, isOver }: Patience, startedMs: number): Promise<void> {
    const deadline = machineTime.monotonic() + Math.max(graceMs, realMs);
    while (machineTime.monotonic() < deadline) {
      await pause(500);
      // What an application sends late has its reports and its events.
      await this.#account.clock.advance({ by: '5s', settleReal: quiet });
      if (realMs > 0 && isOver(await readFacts(this.#account, new Date(startedMs).toISOString()))) return;
    }
  }

  /** As people do: who is asked to come again comes again. @returns the status, or null without a response */
  async #act(step: HttpStep): Promise<number | null> {
    for (let tries = 1; ; tries += 1) {
      const { status, retryAfterMs, body } = await this.#call(step);
      const again = status === 409 || status === 429 || status === 503;
      if (!again || tries === mostTries) {
        for (const [name, path] of Object.entries(step.save)) this.#saved.set(name, at(body, path));
        return status;
      }
      await pause(Math.min(retryAfterMs, 3_000));
      await this.#account.clock.advance({ by: `${Math.max(1, Math.ceil(retryAfterMs / 1000))}s`, settleReal: quiet });
    }
  }

  async #call({ method, url, body, headers }: HttpStep) {
    const target = new URL(await this.#filled(url), this.#origin === '' ? undefined : this.#origin);
    const text = body === undefined ? null : await this.#filled(JSON.stringify(body));
    try {
      const response = await fetch(target, {
        method,
        headers: { ...(text !== null && { 'Content-Type': 'application/json' }), ...headers },
        ...(text !== null && { body: text }),
        signal: AbortSignal.timeout(40_000),
      });
      const retryAfterMs = 1000 * (Number(response.headers.get('retry-after')) || 1);
      return { status: response.status, retryAfterMs, body: parsed(await response.text()) };
    } catch {
      return { status: null, retryAfterMs: 1000, body: null };
    }
  }

  /** `${name}` is what was saved, `${code +12025550123}` the latest one-time code of a number. */
  async #filled(text: string): Promise<string> {
    let filled = text;
    for (const [whole, name = ''] of text.matchAll(/\$\{([^}]+)\}/g)) {
      const phone = /^code (\+\d+)$/.exec(name)?.[1];
      const code = () =>
        this.#account.otp(phone ?? '').then(
          (otp) => otp.code,
          () => null,
        );
      const value = phone === undefined ? this.#saved.get(name) : await this.#until(retryMs, code);
      filled = filled.replaceAll(whole, value ?? '');
    }
    return filled;
  }
}

function at(body: unknown, path: string): string {
  const found = path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], body);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

/** A port that nobody listens on now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
