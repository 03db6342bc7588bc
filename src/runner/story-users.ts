/** The users of a story. They call the application over HTTP at the times in the story, and wait for its reactions. */
import type { SandboxAccount } from '../client/account.js';
import { readFacts } from '../explore/facts.js';
import type { Patience } from '../explore/types.js';
import { pause } from '../time/pause.js';
import type { HttpStep } from './story-file.js';
import { parsed } from './story.js';

/** After each step, the application must be idle for this long. */
const quiet = '200ms';
/** Time after the last step, for applications with a clock of their own. */
const graceMs = 3_000;
/** Time for the application to repeat a failed call, and for a code to arrive. */
const retryMs = 3_000;
/** Limit of the total time that users wait for calls without a response. */
const hangMs = 16_000;
/** An application that has just started makes its first calls within this time. */
const startedMs = 1_000;
const lookMs = 200;
/** Approximate time of one round of waiting after the last step, on an idle machine. */
const roundMs = 750;
/** Number of times that users try again when the application asks them to. */
const mostTries = 4;
const firstRetries = '6m';
/** Later than the last retry of a delivery. */
const afterwards = '30h';

interface Play {
  readonly steps: readonly HttpStep[];
  readonly beganMs: number;
  readonly endMs: number;
  readonly patience: Patience;
  readonly afterStep: () => Promise<void>;
}

export class Users {
  readonly #account: SandboxAccount;
  readonly #origin: string;
  readonly #saved = new Map<string, string>();
  #hangLeftMs = hangMs;

  constructor(account: SandboxAccount, origin: string) {
    this.#account = account;
    this.#origin = origin;
  }

  /** @returns the problem, or null */
  async play({ steps, beganMs, endMs, patience, afterStep }: Play): Promise<string | null> {
    let failure: string | null = null;
    await this.#begun();
    for (const step of steps) {
      await this.#advance(beganMs + step.atMs);
      const status = await this.#act(step);
      if (status === null || status >= 500)
        failure ??= `${step.method} ${step.url} got ${status === null ? 'no response' : `the response ${status}`}`;
      await afterStep();
    }
    await this.#advance(beganMs + endMs);
    await this.#settled(patience, beganMs);
    // Covers the first retries. The hours that follow close the window, so replies to these retries must arrive before.
    await this.#account.clock.advance({ by: firstRetries, settleReal: quiet });
    await pause(2 * lookMs);
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

  /** An application that has just started makes its first calls: users wait until these are complete. */
  async #begun(): Promise<void> {
    const count = async () => (await this.#account.requests()).length;
    await this.#until(startedMs, async () => {
      const before = await count();
      await pause(2 * lookMs);
      return (await count()) === before ? true : null;
    });
  }

  /** An application repeats its latest call if that failed: users wait for this, up to a limit. */
  async #retried(): Promise<void> {
    let waitedMs = 0;
    let limitMs = retryMs;
    await this.#until(hangMs, async () => {
      const [latest] = await this.#account.requests({ order: 'desc', limit: 1 });
      // A call without a response lasts until the application's own timeout.
      if (latest?.status === null) limitMs = this.#hangLeftMs;
      const isBad = latest !== undefined && (latest.status === null || latest.status === 429 || latest.status >= 500);
      if (!isBad || waitedMs >= limitMs) return true;
      waitedMs += lookMs;
      return null;
    });
    if (limitMs !== retryMs) this.#hangLeftMs -= waitedMs;
  }

  /**
   * Polls until `look` returns a value, or the number of polls is reached. Polls are counted instead of time because on a
   * busy machine they take longer, as the application does.
   */
  async #until<T>(limitMs: number, look: () => Promise<T | null>): Promise<T | null> {
    for (let leftMs = limitMs; ; leftMs -= lookMs) {
      const found = await look();
      if (found !== null || leftMs <= 0) return found;
      await pause(lookMs);
    }
  }

  /**
   * Waits, up to a limit, until an application that waits in real time has finished or has reached the expected end
   * state.
   */
  async #settled({ realMs, isOver }: Patience, beganMs: number): Promise<void> {
    for (let leftMs = Math.max(graceMs, realMs); leftMs > 0; leftMs -= roundMs) {
      await pause(500);
      // Messages that an application sends late also have status reports and events.
      await this.#account.clock.advance({ by: '5s', settleReal: quiet });
      if (realMs > 0 && isOver(await readFacts(this.#account, new Date(beganMs).toISOString()))) return;
    }
  }

  /**
   * Repeats the call if the application asks for it.
   * @returns the status, or null without a response
   */
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

  /** `${name}` is a saved value; `${code +12025550123}` is the latest one-time code of a number. */
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
