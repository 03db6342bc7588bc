/** Each captured call gets two responses: theirs, and ours. */
import type { SandboxClient } from '../client/client.js';
import { AccountPlay, type Pair } from './account-play.js';
import type { Sent } from './privacy.js';
import { leavesOf } from './values.js';
import type { Capture, CapturedCall } from './capture.js';

export interface Played {
  readonly pairs: readonly Pair[];
  readonly sent: Sent;
  readonly skipped: readonly { readonly place: string; readonly why: string }[];
}

export async function play(capture: Capture, sandbox: SandboxClient): Promise<Played> {
  const accounts = new Map<string, AccountPlay>();
  const pairs: Pair[] = [];
  const skipped: { place: string; why: string }[] = [];
  for (const call of capture.calls) {
    let account = accounts.get(call.account);
    if (!account) {
      account = new AccountPlay(sandbox.url, `parity-${accounts.size + 1}`);
      accounts.set(call.account, account);
      await account.prepare(capture.calls.filter((each) => each.account === call.account));
    }
    const unplayable = unplayableOf(call);
    if (unplayable === null) pairs.push(await account.play(call));
    else skipped.push({ place: call.place, why: unplayable });
  }
  const emitter = new AccountPlay(sandbox.url, 'parity-events');
  const known = new Set([...accounts.values()].flatMap((account) => account.theirIds()));
  for (const event of capture.events) {
    const pair = await emitter.emit(event, known);
    if (typeof pair === 'string') skipped.push({ place: event.place, why: pair });
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

/** Refusals that depend on the state of the real service, not on the call. */
function unplayableOf({ status }: CapturedCall): string | null {
  if (status >= 500) return `a failure of the service (${status})`;
  return status === 408 || status === 403 || status === 431 ? `a refusal that no call causes here (${status})` : null;
}
