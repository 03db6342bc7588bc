/** A day in the sample shop, or in its careless twin, as a story for `explore`: both on one clock that the story moves. */
import type { SandboxAccount } from '../../src/client/account.js';
import { parseDuration } from '../../src/time/duration.js';

interface Shop {
  readonly url: string;
  idle(): Promise<boolean>;
  close(): Promise<void>;
}
type Start = (settings: object) => Promise<Shop>;

const files = { right: '../../examples/shop/src/shop.js', careless: '../../examples/shop/careless/shop.js' };

export async function shopOf(name: keyof typeof files): Promise<Start> {
  return ((await import(new URL(files[name], import.meta.url).href)) as { startShop: Start }).startShop;
}

/** A call that gets no response is given up after so long, in real time. */
const timeoutMs = 300;
const buyer = '+12025550113';
const asker = '+12025550114';
const visitor = '+12025550115';

/** @returns what the shop says of its state in the end */
export async function shopStory(start: Start, account: SandboxAccount): Promise<unknown> {
  let nowMs = Date.parse(await account.clock.now());
  const wakes = new Set<{ readonly atMs: number; readonly work: () => void }>();
  const clock = {
    now: () => nowMs,
    wake(atMs: number, work: () => void) {
      const wake = { atMs, work };
      wakes.add(wake);
      return () => void wakes.delete(wake);
    },
    limit: () => AbortSignal.timeout(timeoutMs),
  };
  const shop = await start({ baseUrl: account.url, apiKey: account.apiKey, clock });
  /** To be called when the sandbox is idle. */
  const answer = async () => {
    while (await shop.idle()) await account.idle();
  };
  const settle = async () => {
    await account.idle();
    await answer();
  };
  const advance = async (by: string) => {
    const targetMs = nowMs + parseDuration(by);
    await settle();
    for (;;) {
      const { next_due: due } = await account.clock.get();
      const nextMs = Math.min(due === null ? Infinity : Date.parse(due), ...[...wakes].map(({ atMs }) => atMs));
      nowMs = Math.max(Math.min(nextMs, targetMs), nowMs);
      await account.clock.advance({ to: new Date(nowMs) });
      for (const wake of [...wakes].filter(({ atMs }) => atMs <= nowMs)) {
        wakes.delete(wake);
        wake.work();
      }
      await answer();
      if (nextMs >= targetMs) return;
    }
  };
  const call = async (method: string, path: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(shop.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    await settle();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown> | null };
  };
  const signIn = async () => {
    const { body } = await call('POST', '/logins', { phone: visitor });
    const login = String(body?.['login']);
    await advance('5s');
    for (let tries = 0; tries < 8; tries += 1) {
      const code = (await account.otps({ to: visitor })).at(-1)?.code;
      const { status } = await call('POST', `/logins/${login}/code`, { code });
      if (status === 200) break;
      await advance('1m');
      if (status !== 410) continue;
      await call('POST', `/logins/${login}/resend`);
      await advance('5s');
    }
    return (await call('GET', `/logins/${login}`)).body;
  };
  try {
    await advance('5m');
    await call('POST', '/orders', { number: '42', phone: buyer, name: 'Ada' });
    await call('POST', '/orders/42/ship');
    await advance('20m');
    await account.customer(asker).says('Where is my order?');
    await advance('20m');
    const login = await signIn();
    // Beyond the last retry of a delivery.
    await advance('30h');
    return { order: (await call('GET', '/orders/42')).body, login };
  } finally {
    await shop.close();
  }
}
