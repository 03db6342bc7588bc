/** Plays the story of an exploration with an application that runs in its own processes, in a new account each time. */
import type { SandboxAccount } from '../client/account.js';
import { drop, merged, readFacts } from '../explore/facts.js';
import type { Patience, Play } from '../explore/play.js';
import type { Ending, Placed } from '../explore/types.js';
import { pause } from '../time/pause.js';
import { machineTime } from '../time/system-clock.js';

/** The account of one try, in which the fault of that try is active. */
export interface World {
  /** Environment variables that give the processes the sandbox's URL, the account's key, and a folder of their own. */
  readonly variables: Readonly<Record<string, string>>;
  readonly account: SandboxAccount;
  /** Called at the application's first call. If a timeline would otherwise run ahead, time does not pass before that. */
  readonly onFirstCall?: () => void;
  /** Called when the accounts have been deleted. */
  readonly close: () => void;
}

/** One play of a story, in an isolated account. */
export interface StoryPlay extends Pick<World, 'variables' | 'account'> {
  readonly placed: Placed | null;
  readonly patience: Patience;
}

export type PlayStory = (play: StoryPlay) => Promise<Ending>;

/** The story cannot be played at all; the message says why. */
export class StoryError extends Error {
  override readonly name = 'StoryError';
}

const LOOK_AGAIN_MS = 60;

export function playIn(open: (placed: Placed | null) => Promise<World>, story: PlayStory): Play {
  return async (placed, patience) => {
    patience.signal.throwIfAborted();
    const world = await open(placed);
    const { account } = world;
    const over = new AbortController();
    const beganMs = machineTime.monotonic();
    try {
      const startedAt = await account.clock.now();
      const watching = watch(world, placed, patience, over.signal);
      // After the account is deleted, there is nothing to watch.
      watching.catch(() => undefined);
      const ending = await story({ variables: world.variables, account, placed, patience });
      patience.signal.throwIfAborted();
      const accounts = await factsOf(account, startedAt);
      return { ...ending, facts: merged(accounts), accounts, tookMs: machineTime.monotonic() - beganMs };
    } finally {
      over.abort();
      for (const key of await keysOf(account).catch(() => [account.apiKey])) await drop(account.account(key));
      world.close();
    }
  };
}

/** The keys of the try: test runners make one for each test, which begins with the key of the try. */
async function keysOf(account: SandboxAccount): Promise<string[]> {
  const { items } = await account.call<{ items: { key: string }[] }>('GET', '/_sandbox/accounts?limit=1000');
  const own = items.map(({ key }) => key).filter((key) => key.startsWith(`${account.apiKey}.`));
  return [account.apiKey, ...own.sort()];
}

async function factsOf(account: SandboxAccount, startedAt: string) {
  const [first, ...others] = await Promise.all(
    (await keysOf(account)).map((key) => {
      const suffix = key.slice(account.apiKey.length);
      return readFacts(suffix === '' ? account : account.account(key), startedAt, suffix);
    }),
  );
  if (first === undefined) throw new Error('a try has an account');
  return [first, ...others] as const;
}

/** Starts time at the first call, sends the event of a fault, and sees when a failed call is repeated. */
async function watch(world: World, placed: Placed | null, { onReturn }: Patience, over: AbortSignal): Promise<void> {
  const { account, onFirstCall } = world;
  let [hasBegun, emit] = [onFirstCall === undefined, placed?.fault.emit];
  let failed: { readonly call: string; readonly seq: number; readonly realMs: number; readonly at: string } | null =
    null;
  let isLearnt = onReturn === undefined;
  while (!over.aborted && !(hasBegun && emit === undefined && isLearnt)) {
    const requests = await account.requests({ order: 'desc', limit: 100 });
    if (requests.length > 0 && !hasBegun) {
      hasBegun = true;
      onFirstCall?.();
    }
    if (emit && requests.some(({ operation, status }) => operation === 'createWebhook' && status === 200)) {
      const event = emit;
      emit = undefined;
      await account.call('POST', '/_sandbox/events', event);
    }
    if (!isLearnt) {
      const callOf = ({ method, path, request }: (typeof requests)[number]) =>
        `${method} ${path} ${JSON.stringify(request.body)}`;
      const first = requests.findLast(
        ({ status, explain }) => status === 503 && explain?.id?.startsWith('explore-') === true,
      );
      if (first) failed ??= { call: callOf(first), seq: first.seq, realMs: machineTime.monotonic(), at: first.at };
      const known = failed;
      const again = known && requests.findLast((one) => one.seq > known.seq && callOf(one) === known.call);
      if (known && again) {
        isLearnt = true;
        onReturn?.({
          realMs: machineTime.monotonic() - known.realMs,
          accountMs: Date.parse(again.at) - Date.parse(known.at),
        });
      }
    }
    await pause(LOOK_AGAIN_MS);
  }
}
