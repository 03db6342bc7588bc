/**
 * The shop with a sandbox, both on one clock that the test moves. Nothing here sleeps: a step ends when neither the sandbox
 * nor the shop has work left.
 */
import { createSandbox } from 'messaging-sandbox';
import { startShop } from '../src/shop.js';

/** @type {import('messaging-sandbox').SandboxClient | undefined} */
let sandbox;
let accounts = 0;

/** One sandbox for a test file, and one account for each test. */
export async function openSandbox() {
  sandbox = await createSandbox({ clock: 'frozen:2026-03-02T09:00:00Z', logLevel: 'error' });
}
export const closeSandbox = () => sandbox?.close();

/**
 * @param {import('node:test').TestContext} t
 * @param {object} [options]
 * @param {string} [options.scenario] name of a shipped one
 * @param {typeof startShop} [options.start] what to start instead of the shop
 * @param {Partial<import('../src/shop.js').Settings>} [options.settings]
 */
export async function openShop(t, { scenario, start = startShop, settings = {} } = {}) {
  if (!sandbox) throw new Error('openSandbox() comes first');
  const account = sandbox.account(`shop-${(accounts += 1)}`);
  if (scenario !== undefined) await account.scenario.use(scenario);

  let nowMs = Date.parse(await account.clock.now());
  /** @type {Set<{ atMs: number, work: () => void }>} */
  const wakes = new Set();
  /** @type {import('../src/clock.js').Clock} */
  const clock = {
    now: () => nowMs,
    wake(atMs, work) {
      const wake = { atMs, work };
      wakes.add(wake);
      return () => wakes.delete(wake);
    },
    // Sockets use real time on this side too.
    limit: (ms) => AbortSignal.timeout(ms),
  };

  /** Runs everything that follows on both sides, while the clock stands still. */
  async function settle() {
    await account.idle();
    await answer();
  }

  /** Does so when the sandbox is idle already. */
  async function answer() {
    while (await shop.idle()) await account.idle();
  }

  /** @param {string} by such as '1h' */
  async function advance(by) {
    const targetMs = nowMs + lengthOf(by);
    await settle();
    for (;;) {
      const { next_due: due } = await account.clock.get();
      const nextMs = Math.min(due === null ? Infinity : Date.parse(due), ...[...wakes].map(({ atMs }) => atMs));
      const stepMs = Math.max(Math.min(nextMs, targetMs), nowMs);
      // First on this side: what the sandbox delivers while it moves is heard at the instant at which it is sent.
      nowMs = stepMs;
      await account.clock.advance({ to: new Date(stepMs) });
      for (const wake of [...wakes].filter(({ atMs }) => atMs <= nowMs)) {
        wakes.delete(wake);
        wake.work();
      }
      await answer();
      if (nextMs >= targetMs) return;
    }
  }

  /** @param {string} method @param {string} path @param {object} [body] */
  async function call(method, path, body) {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(shop.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    await settle();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  }

  const shop = await start({ baseUrl: account.url, apiKey: account.apiKey, clock, ...settings });
  t.after(() => shop.close());
  await settle();
  return {
    account,
    advance,
    settle,
    url: shop.url,
    /** @param {string} path */
    get: (path) => call('GET', path),
    /** @param {string} path @param {object} [body] */
    post: (path, body = {}) => call('POST', path, body),
  };
}

/** @typedef {Awaited<ReturnType<typeof openShop>>} World */

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000 };

/** @param {string} duration such as '1h30m', in milliseconds */
function lengthOf(duration) {
  const parts = [...duration.matchAll(/(\d+)([smh])/g)];
  if (parts.map(([part]) => part).join('') !== duration)
    throw new Error(`"${duration}" is not a duration such as 1h30m`);
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[/** @type {'s'} */ (unit)], 0);
}
