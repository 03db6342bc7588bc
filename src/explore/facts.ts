/** Prepares an account for a try, and reads its facts at the end. */
import { ruleOf } from './placed.js';
import type { ExploredAccount, Facts, JournalRequest, Placed } from './types.js';

/** Time limit for attempts that are in flight at the end. */
const lastAttempts = '2s';

/** @param quiet how long the application must be quiet before the clock jumps; null leaves the clock as it is */
export async function prepare(account: ExploredAccount, placed: Placed | null, quiet: string | null): Promise<string> {
  const rule = placed && ruleOf(placed);
  if (rule) await account.rules.add(rule);
  if (quiet !== null) await account.call('PUT', '/_sandbox/clock', { mode: 'auto', quiet_real: quiet });
  return account.clock.now();
}

/** @param suffix what the key of the account adds to the key of the try */
export async function readFacts(account: ExploredAccount, startedAt: string, suffix = ''): Promise<Facts> {
  await account.idle(lastAttempts).catch(() => undefined);
  const clock = await account.clock.get();
  const [messages, otps, templates, endpoints, listed, deliveries, rules] = await Promise.all([
    account.messages({ direction: 'outbound' }),
    account.otps(),
    account.templates.list(),
    account.webhooks.list(),
    account.requests(),
    account.deliveries(),
    account.rules.list(),
  ]);
  // Lists show no bodies.
  const requests = await Promise.all(
    listed.map(({ id }) => account.call<JournalRequest>('GET', `/_sandbox/requests/${id}`)),
  );
  const hits = Object.fromEntries(
    rules.filter(({ id }) => id.startsWith('explore-')).map(({ id, hits: count }) => [id, count]),
  );
  const steered = clock.quiet_real === undefined && clock.mode === 'frozen';
  const records = { messages, otps, templates, endpoints, requests, deliveries, hits };
  return { startedAt, endedAt: clock.now, steered, account: suffix, ...records };
}

/** Returns the facts of all accounts of a try together. */
export function merged([first, ...others]: readonly [Facts, ...Facts[]]): Facts {
  return others.reduce(
    (all, one) => ({
      ...all,
      steered: all.steered && one.steered,
      messages: [...all.messages, ...one.messages],
      otps: [...all.otps, ...one.otps],
      templates: [...all.templates, ...one.templates],
      endpoints: [...all.endpoints, ...one.endpoints],
      requests: [...all.requests, ...one.requests],
      deliveries: [...all.deliveries, ...one.deliveries],
      hits: { ...all.hits, ...one.hits },
    }),
    first,
  );
}

/** Deletes the account with its jobs and attempts. */
export async function drop(account: ExploredAccount): Promise<void> {
  await account.call('DELETE', `/_sandbox/accounts/${encodeURIComponent(account.apiKey)}`).catch(() => undefined);
}
