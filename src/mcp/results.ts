/** What tools return: short items, and links for people. */
import type { SandboxAccount } from '../client/account.js';
import { SandboxError } from '../client/sandbox-error.js';

export type Item = Readonly<Record<string, unknown>>;

export async function overview(account: SandboxAccount) {
  const { now, mode, pending, next_due } = await account.clock.get();
  const clock = { now, mode, pending_jobs: pending, next_due };
  return { base_url: account.url, api_key: account.apiKey, clock, page: linkTo(account, 'conversations') };
}

/** Returns the address of a record in the web UI. */
export function linkTo({ url, apiKey }: SandboxAccount, ...place: string[]): string {
  return `${url}/_sandbox/ui#/${[apiKey, ...place].map(encodeURIComponent).join('/')}`;
}

/** The fields that distinguish items; the tool `explain` returns the others. */
const shown = [
  ...['id', 'otp_id', 'phone', 'seq', 'at', 'created_at', 'method', 'path', 'operation', 'status', 'error', 'type'],
  ...['direction', 'from', 'to', 'text', 'name', 'code', 'state', 'event_type', 'url', 'data', 'window'],
];

export function short(item: Item): Item {
  const known = shown.flatMap((name) => (item[name] === undefined || item[name] === null ? [] : [[name, item[name]]]));
  const { explain, attempts } = item as { explain?: { text?: string }; attempts?: readonly { status: unknown }[] };
  return {
    ...(Object.fromEntries(known) as Item),
    ...(explain?.text !== undefined && { explain: explain.text }),
    ...(attempts && { attempts: attempts.map(({ status }) => status) }),
  };
}

export function unlessMissing(error: unknown): null {
  if (error instanceof SandboxError && error.status === 404) return null;
  throw error;
}
