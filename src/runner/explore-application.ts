/** Explores an application that runs in its own processes, with one account for each try. */
import type { SandboxAccount } from '../client/account.js';
import { explore, type ExploreOptions } from '../explore/explorer.js';
import { drop, readFacts } from '../explore/facts.js';
import { restarts } from '../explore/more-faults.js';
import type { Placed, Play, Report } from '../explore/types.js';
import { machineTime } from '../time/system-clock.js';
import { callsMade, type PlayStory } from './story.js';

/** The account of one try, in which the faults of that try are active. */
export interface World {
  /** Environment variables that give the processes the sandbox's URL and the account's key. */
  readonly variables: Readonly<Record<string, string>>;
  readonly account: SandboxAccount;
  /**
   * Called at the application's first call. If a timeline would otherwise run ahead, time does not pass before that.
   */
  readonly onFirstCall?: () => void;
  /** Called when the account has been deleted. */
  readonly close: () => Promise<void>;
}

export interface ApplicationExploration extends Omit<ExploreOptions, 'play' | 'now'> {
  readonly story: PlayStory;
  readonly world: (placed: readonly Placed[]) => Promise<World>;
  /** Timeout of a try, in real time. */
  readonly timeoutMs: number;
  /** Whether to restart the application in some tries. */
  readonly restarts: boolean;
}

/** @throws StoryFails if the story fails without any fault, StoryError if it cannot be played */
export function exploreApplication({ story, world, timeoutMs, ...options }: ApplicationExploration): Promise<Report> {
  const play: Play = async (placed, patience) => {
    const { variables, account, onFirstCall, close } = await world(placed);
    const over = new AbortController();
    try {
      if (onFirstCall) {
        const waiting = callsMade(account, 1, over.signal).then((made) => {
          if (made) onFirstCall();
        });
        // After the account is deleted, there is nothing to wait for.
        waiting.catch(() => undefined);
      }
      const startedAt = await account.clock.now();
      const limitMs = patience.realMs > 0 ? 2 * timeoutMs : timeoutMs;
      const ending = await story({ variables, account, placed, timeoutMs: limitMs, patience });
      const facts = await readFacts(account, startedAt);
      await drop(account);
      return { ...ending, facts };
    } finally {
      over.abort();
      await close();
    }
  };
  return explore({
    ...options,
    play,
    more: (facts) => [...(options.restarts ? restarts(facts.requests.length) : []), ...(options.more?.(facts) ?? [])],
    now: () => machineTime.monotonic(),
  });
}
