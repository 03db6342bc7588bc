/** Plays the story of an exploration with an application that runs in its own processes, in a new account each time. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxAccount } from '../client/account.js';
import { testsFile } from '../client/fixture.js';
import { drop, merged, readFacts, type Facts } from '../explore/facts/facts.js';
import type { Play, Patience } from '../explore/tries/options.js';
import type { Ending, FailedCheck, Placed, Run } from '../explore/facts/types.js';
import type { Stage } from '../sandbox.js';
import { machineTime, pause } from '../time/system-clock.js';
import type { ApplicationProcess } from './application-process.js';

export interface World {
  /** The sandbox's URL, the account's key, and a new folder. */
  readonly variables: Readonly<Record<string, string>>;
  readonly account: SandboxAccount;
  readonly stage: Stage;
  /** Lets the steps of the scenario reach an application. */
  readonly attach: (application: ApplicationProcess) => void;
  readonly close: () => void;
}

export interface StoryPlay extends World {
  readonly placed: readonly Placed[];
  readonly patience: Patience;
  /** Account times at which the user repeated a call; the play adds them. */
  readonly comebacks: string[];
  /** Resolves when the application repeats calls that cannot succeed, which it may do indefinitely. */
  readonly inVain: Promise<'late'>;
}

/** Machine milliseconds between two looks at its calls. */
const lookMs = 1_000;
/** So many rejected calls are nothing to look at. */
const fewRejections = 8;

export type PlayStory = (play: StoryPlay) => Promise<Ending>;

export function playIn(open: (placed: readonly Placed[]) => Promise<World>, story: PlayStory): Play {
  return async (placed, patience) => {
    const world = await open(placed);
    const { account } = world;
    const beganMs = machineTime.monotonic();
    const over = new AbortController();
    const comebacks: string[] = [];
    try {
      const startedAt = await account.clock.now();
      const inVain = repeatsInVain(
        world,
        startedAt,
        (facts) => patience.isInVain({ accounts: [facts], comebacks }),
        over.signal,
      );
      const ending = await story({ ...world, placed, patience, inVain, comebacks });
      const accounts = await factsOf(account);
      return {
        ...ending,
        ...testsIn(world),
        comebacks,
        facts: merged(accounts),
        accounts,
        tookMs: machineTime.monotonic() - beganMs,
      };
    } finally {
      over.abort();
      for (const { key } of await keysOf(account).catch(() => [{ key: account.apiKey }]))
        await drop(account.account(key));
      world.close();
    }
  };
}

export const failedChecksIn = (stage: Stage): FailedCheck[] =>
  stage.unmet().map(({ check: { because, that, expected, found }, ...how }) => ({
    sentence: `${(because ?? `A check of ${that} fails`).replace(/\.$/, '')}: expected ${expected}; found ${found}.`,
    ...how,
  }));

async function repeatsInVain(
  { account, stage }: Pick<World, 'account' | 'stage'>,
  startedAt: string,
  isInVain: (facts: Facts) => boolean,
  over: AbortSignal,
) {
  while (!over.aborted) {
    await pause(lookMs);
    if (stage.rejections <= fewRejections) continue;
    const facts = await readFacts(account, startedAt).catch(() => null);
    if (facts !== null && isInVain(facts)) return 'late' as const;
  }
  return new Promise<never>(() => undefined);
}

/** Returns the tests of a suite whose ends are reported: our test libraries write them to the folder of the try. */
function testsIn({ variables, account }: World): Pick<Run, 'tests'> {
  const file = join(variables['SANDBOX_TMP'] ?? '', testsFile);
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const ends = lines
    .map((line) => line.split(' '))
    .map(([key = '', end]) => [key.slice(account.apiKey.length), end === 'failed'] as const);
  return { tests: new Map(ends) };
}

/** The keys of the try: test runners make one for each test, which begins with the key of the try. */
async function keysOf(account: SandboxAccount) {
  const { apiKey } = account;
  const path = '/_sandbox/accounts?limit=1000';
  const { items } = await account.call<{ items: { key: string; created_at: string }[] }>('GET', path);
  const own = items.filter(({ key }) => key === apiKey || key.startsWith(`${apiKey}.`));
  return own.sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function factsOf(account: SandboxAccount) {
  const [first, ...others] = await Promise.all(
    (await keysOf(account)).map(({ key, created_at: createdAt }) => {
      const suffix = key.slice(account.apiKey.length);
      return readFacts(suffix === '' ? account : account.account(key), createdAt, suffix);
    }),
  );
  if (first === undefined) throw new Error('a try has an account');
  return [first, ...others] as const;
}
