/** The story is a function, called with a new account for each try. */
import { parseDuration } from '../time/duration.js';
import { machineTime, overAfter, within } from '../time/system-clock.js';
import { explore } from '../explore/explorer.js';
import { drop, readFacts, sendEvent } from '../explore/facts/facts.js';
import { cellsNamed } from '../explore/faults/cell-names.js';
import { ruleOf } from '../explore/faults/placed.js';
import type { Play } from '../explore/tries/options.js';
import type { Report } from '../explore/facts/types.js';
import type { SandboxAccount } from './account.js';
import { invalidOption } from './sandbox-error.js';
import type { Duration } from './types.js';

/** Plays the story once in this account. May return the application's view of its state. */
export type Story = (world: SandboxAccount) => unknown;

export interface ExploreSettings {
  /** Real time for everything. Default 5m. */
  readonly budget?: Duration;
  /** Tries in parallel. Default 4. */
  readonly parallel?: number;
  /** The cells to try, by name; `*` stands for anything. Default: all. */
  readonly only?: readonly string[];
  /**
   * The time, on a running clock, for which the application must be idle before the account's clock jumps to the next
   * job. Default 150ms. A frozen clock is not changed; the story moves it.
   */
  readonly quiet?: Duration;
}

export type { Report };

/** Machine milliseconds. */
const storyEndMs = 2_000;

let worlds = 0;

export async function exploreStory(
  sandbox: SandboxAccount,
  story: Story,
  { budget = '5m', parallel = 4, only = [], quiet = '150ms' }: ExploreSettings = {},
): Promise<Report> {
  if (!Number.isInteger(parallel) || parallel < 1) {
    throw invalidOption(`explore: parallel is ${String(parallel)}. Expected a whole number of at least 1.`);
  }
  const play: Play = async (placed, { limitMs }) => {
    const beganMs = machineTime.monotonic();
    const world = sandbox.account(`explore-${(worlds += 1)}`);
    const pace = (await world.clock.get()).mode === 'frozen' ? null : quiet;
    for (const rule of placed.flatMap((one) => ruleOf(one) ?? [])) await world.rules.add(rule);
    if (pace !== null) await world.call('PUT', '/_sandbox/clock', { mode: 'auto', quiet_real: pace });
    const startedAt = await world.clock.now();
    const over = new AbortController();
    for (const { fault } of placed) sendEvent(world, fault.emit, over.signal);
    const ending = await endOfStory(story, world, limitMs);
    over.abort();
    const facts = await readFacts(world, startedAt);
    await drop(world);
    return { ...ending, facts, accounts: [facts], tookMs: machineTime.monotonic() - beganMs };
  };
  const budgetMs = parseDuration(budget);
  const wanted = only.length > 0 ? cellsNamed(only, '--only') : null;
  const report = await explore({
    play,
    // Only the story itself can play a file.
    how: { command: () => '', extends: null, story: null },
    lanes: parallel,
    deadlineMs: machineTime.monotonic() + budgetMs,
    over: overAfter(budgetMs + storyEndMs),
    longestMs: 0,
    ...(wanted && { only: wanted.fits }),
    now: () => machineTime.monotonic(),
  });
  return { ...report, notes: [...report.notes, ...(wanted?.notes() ?? [])] };
}

async function endOfStory(story: Story, world: SandboxAccount, limitMs: number) {
  try {
    const said = await within(limitMs, Promise.resolve(story(world)));
    return said === 'late'
      ? { said: null, failure: null, timedOut: true }
      : { said: said ?? null, failure: null, timedOut: false };
  } catch (error) {
    const failure = error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error);
    return { said: null, failure, timedOut: false };
  }
}
