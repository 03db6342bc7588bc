/** A story for an application that is a server: it is started for each try, and its users act by HTTP. */
import { createServer } from 'node:net';
import type { SandboxAccount } from '../../client/account.js';
import { machineTime } from '../../time/system-clock.js';
import type { Patience } from '../../explore/explorer.js';
import { readFacts } from '../../explore/facts.js';
import type { Ending } from '../../explore/types.js';
import { CliFailure } from '../failure.js';
import { endProcess, saidBy, startProcess, within, type Process } from './command-story.js';
import { readStory, type HttpStep } from './story-file.js';

export interface AppFlags {
  readonly app?: string;
  readonly waitFor?: string;
  readonly story?: string;
}

interface AppStory {
  readonly flags: AppFlags;
  readonly variables: Readonly<Record<string, string>>;
  readonly account: SandboxAccount;
  readonly timeoutMs: number;
  readonly observe: readonly string[];
  readonly patience: Patience;
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

/** Plays the story once. @throws CliFailure (2) for a story that cannot be played at all */
export async function appStory({ flags, variables, account, timeoutMs, observe, patience }: AppStory): Promise<Ending> {
  const { scenario, steps, state, endMs } = readStory(flags.story ?? '');
  const port = (flags.waitFor ?? '').includes('{port}') ? await freePort() : null;
  const filled = (text: string) => text.replaceAll('{port}', String(port));
  const waitFor = flags.waitFor === undefined ? null : filled(flags.waitFor);
  await account.call('PUT', '/_sandbox/scenario', scenario);
  await account.clock.freeze();
  const startedMs = Date.parse(await account.clock.now());
  const app = startProcess(
    [filled(flags.app ?? '')],
    { ...variables, ...(port !== null && { PORT: String(port) }) },
    true,
  );
  try {
    const ready = await within(timeoutMs, isReady(app, waitFor));
    if (ready !== true)
      return { said: null, failure: `the application did not start (${whyNot(app, waitFor)})`, timedOut: false };
    const users = new Users(account, waitFor === null ? '' : new URL(waitFor).origin);
    const played = await within(timeoutMs + patience.realMs, users.play(steps, startedMs, endMs, patience));
    if (played === 'late') return { said: null, failure: null, timedOut: true };
    const states = await Promise.all(state.map(async (path) => [path, await users.get(path)] as const));
    const seen = (await saidBy(app.output().stdout, observe, variables['MESSAGING_API_KEY'] ?? '')) as object | null;
    const said = { ...(observe.length > 0 && seen), ...Object.fromEntries(states) };
    const code = await within(1, app.ended);
    const failure = code === 'late' ? played : `the application ended with exit code ${String(code)}`;
    return { said: Object.keys(said).length === 0 ? null : said, failure, timedOut: false };
  } finally {
    await endProcess(app);
  }
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
  async play(steps: readonly HttpStep[], startedMs: number, endMs: number, patience: Patience): Promise<string | null> {
    let failure: string | null = null;
    for (const step of steps) {
      await this.#advance(startedMs + step.atMs);
      const status = await this.#act(step);
      if (status === null || status >= 500)
        failure ??= `${step.method} ${step.url} was answered ${status ?? 'nothing'}`;
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
    await this.#account.clock.advance({ to: new Date(Math.max(nowMs, toMs)), settleReal: quiet });
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
      await new Promise<void>((resolve) => void machineTime.setTimer(200, resolve));
    }
  }

  /** Lets an application that waits in real time come to its end, for a while, or until that is the expected one. */
  async #settled({ realMs, isOver }: Patience, startedMs: number): Promise<void> {
    const deadline = machineTime.monotonic() + Math.max(graceMs, realMs);
    while (machineTime.monotonic() < deadline) {
      await new Promise<void>((resolve) => void machineTime.setTimer(500, resolve));
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
      await new Promise<void>((resolve) => void machineTime.setTimer(Math.min(retryAfterMs, 3_000), resolve));
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
      return { status: response.status, retryAfterMs, body: json(await response.text()) };
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

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function isReady(app: Process, waitFor: string | null): Promise<boolean> {
  const deadline = machineTime.monotonic() + startMs;
  while (machineTime.monotonic() < deadline) {
    const ended = await within(100, app.ended);
    if (ended !== 'late') return false;
    if (waitFor === null) return true;
    const response = await fetch(waitFor, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
    if (response !== null && response.status < 500) return true;
  }
  return false;
}

function whyNot(app: Process, waitFor: string | null): string {
  const { stderr, stdout } = app.output();
  const line = (stderr || stdout).trimEnd().split('\n').at(-1) ?? '';
  return line === '' ? `nothing answers at ${waitFor ?? 'it'}` : line.slice(0, 200);
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

/** For a story that is played beside `scenario run`, once. @throws CliFailure (2) where no sandbox runs */
export function requireSandbox(env: NodeJS.ProcessEnv): Record<string, string> {
  const { SANDBOX_URL: url, SANDBOX_KEY: key, MESSAGING_BASE_URL: base, MESSAGING_API_KEY: api } = env;
  if (!url || !key || !base || !api) {
    throw new CliFailure(
      2,
      'explore --play: there is no sandbox. Write messaging-sandbox scenario run FILE -- messaging-sandbox explore --play …',
    );
  }
  return { SANDBOX_URL: url, SANDBOX_KEY: key, MESSAGING_BASE_URL: base, MESSAGING_API_KEY: api };
}
