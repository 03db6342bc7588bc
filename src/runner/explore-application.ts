/** Explores an application that runs as processes of its own, in an account for each try. */
import type { SandboxAccount } from '../client/account.js';
import { explore, type ExploreOptions } from '../explore/explorer.js';
import { drop, readFacts } from '../explore/facts.js';
import { restarts } from '../explore/more-faults.js';
import type { Placed, Play, Report } from '../explore/types.js';
import { machineTime } from '../time/system-clock.js';
import { callsMade, type PlayStory } from './story.js';

/** What a try plays in: an account in which its faults are active. */
export interface World {
  /** By these the processes find the sandbox and their account. */
  readonly variables: Readonly<Record<string, string>>;
  readonly account: SandboxAccount;
  /** Called at the first call of the application: before it, time does not pass where a timeline would run ahead. */
  readonly onFirstCall?: () => void;
  /** Called when the account has been dropped. */
  readonly close: () => Promise<void>;
}

export interface ApplicationExploration extends Omit<ExploreOptions, 'play' | 'now'> {
  readonly story: PlayStory;
  readonly world: (placed: readonly Placed[]) => Promise<World>;
  /** Longest real time of a try. */
  readonly timeoutMs: number;
  /** Whether the application is restarted, too. */
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
        // Without its account there is nothing to wait for.
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
