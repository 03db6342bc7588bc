/** Prepares an account for a try, and reads its facts at the end. */
import { ruleId, ruleOf } from './catalogue.js';
import type { ExploredAccount, Facts, Placed, RuleInput } from './types.js';

/** Time limit for attempts that are in flight at the end. */
const lastAttempts = '2s';

export function rulesOf(placed: readonly Placed[]): RuleInput[] {
  return placed.flatMap((each, i) => ruleOf(each, `explore-${i + 1}-${ruleId(each)}`) ?? []);
}

/** @param quiet how long the application must be quiet before the clock jumps; null leaves the clock as it is */
export async function prepare(
  account: ExploredAccount,
  placed: readonly Placed[],
  quiet: string | null,
): Promise<string> {
  for (const rule of rulesOf(placed)) await account.rules.add(rule);
  if (quiet !== null) await account.call('PUT', '/_sandbox/clock', { mode: 'auto', quiet_real: quiet });
  return account.clock.now();
}

export async function readFacts(account: ExploredAccount, startedAt: string): Promise<Facts> {
  await account.idle(lastAttempts).catch(() => undefined);
  const clock = await account.clock.get();
  const [messages, otps, templates, endpoints, requests, deliveries, rules] = await Promise.all([
    account.messages({ direction: 'outbound' }),
    account.otps(),
    account.templates.list(),
    account.webhooks.list(),
    account.requests(),
    account.deliveries(),
    account.rules.list(),
  ]);
  const hits = Object.fromEntries(
    rules.filter(({ id }) => id.startsWith('explore-')).map(({ id, hits: count }) => [id, count]),
  );
  const steered = clock.quiet_real === undefined && clock.mode === 'frozen';
  return { startedAt, endedAt: clock.now, steered, messages, otps, templates, endpoints, requests, deliveries, hits };
}

/** Deletes the account with its jobs and attempts. */
export async function drop(account: ExploredAccount): Promise<void> {
  await account.call('DELETE', `/_sandbox/accounts/${encodeURIComponent(account.apiKey)}`).catch(() => undefined);
}
