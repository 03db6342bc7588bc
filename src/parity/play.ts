/** Each captured call gets two responses: theirs, and ours. */
import type { SandboxClient } from '../client/client.js';
import { AccountPlay, type Pair } from './account-play.js';
import type { Sent } from './privacy.js';
import { leavesOf } from './values.js';
import type { Capture, CapturedCall } from './capture.js';

interface Skipped {
  readonly place: string;
  readonly why: string;
  /** The point that it leaves open; none if no setting can say it. */
  readonly open?: { readonly section: string; readonly setting: string };
}

export interface Played {
  readonly pairs: readonly Pair[];
  readonly sent: Sent;
  readonly skipped: readonly Skipped[];
}

export async function play(capture: Capture, sandbox: SandboxClient): Promise<Played> {
  const accounts = new Map<string, AccountPlay>();
  const pairs: Pair[] = [];
  const skipped: Skipped[] = [];
  const isUnknown = unknownAccounts(capture.calls);
  for (const call of capture.calls) {
    let account = accounts.get(call.account);
    if (!account) {
      account = new AccountPlay(sandbox.url, `parity-${accounts.size + 1}`, isUnknown(call.account));
      accounts.set(call.account, account);
      await readable(account.prepare(capture.calls.filter((each) => each.account === call.account)));
    }
    const unplayable = isUnknown(call.account) ? null : unplayableOf(call);
    const pair = unplayable === null ? await readable(account.play(call)) : null;
    if (pair) pairs.push(pair);
    else skipped.push({ place: call.place, ...(unplayable ?? otherForm) });
  }
  const emitter = new AccountPlay(sandbox.url, 'parity-events');
  const known = new Set([...accounts.values()].flatMap((account) => account.theirIds()));
  for (const event of capture.events) {
    const pair = await readable(emitter.emit(event, known));
    if (pair === null) skipped.push({ place: event.place, ...otherForm });
    else if (typeof pair === 'string') skipped.push({ place: event.place, why: pair });
    else pairs.push(pair);
  }
  const sent = new Set<unknown>(
    capture.calls.flatMap(({ path, body }) => [
      ...path.split('/').slice(3),
      ...leavesOf(body).map(({ value }) => value),
    ]),
  );
  return { pairs, skipped, sent };
}

const otherForm = { why: 'its body or its response has another form than the interface document describes' };

/** Null if what was captured has other types than the interface document names. */
async function readable<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Tells accounts without a key, or with a key that the service refuses, where the calls of another key succeed. */
function unknownAccounts(calls: readonly CapturedCall[]): (account: string) => boolean {
  const isRefusal = ({ account, status }: CapturedCall) =>
    account === '' ? status >= 400 && status < 500 : status === 401 || status === 403;
  const succeeding = new Set(calls.filter(({ status }) => status < 300).map(({ account }) => account));
  const refused = new Set(
    [...new Set(calls.map(({ account }) => account))].filter((account) =>
      calls.filter((call) => call.account === account).every(isRefusal),
    ),
  );
  return (account) => refused.has(account) && (account === '' || succeeding.size > 0);
}

/** Failures and refusals that depend on the state of the real service, not on the call. */
function unplayableOf({ status }: CapturedCall): Omit<Skipped, 'place'> | null {
  if (status >= 500) return { why: `a failure of the service (${status})` };
  if (status !== 408 && status !== 403 && status !== 431) return null;
  return {
    why: `a refusal that no call causes here (${status})`,
    open: { section: '7', setting: 'errors.status' },
  };
}
