/** `sandbox.explore`: the story is a function, called with a new account for each try. */
import { parseDuration } from '../time/duration.js';
import { within } from '../time/pause.js';
import { machineTime } from '../time/system-clock.js';
import { explore } from '../explore/explorer.js';
import { drop, prepare, readFacts } from '../explore/facts.js';
import { fileNames, reportJson, scenarioFile, shownProgress, shownReport } from '../explore/report-files.js';
import type { Play, Report } from '../explore/types.js';
import type { SandboxAccount } from './account.js';
import { invalidOption } from './sandbox-error.js';
import type { Duration } from './types.js';

/** Plays the story once in this account. May return the application's view of its state. */
export type Story = (world: SandboxAccount) => unknown;

export interface ExploreSettings {
  /** No try starts after this real time. Default 5m. */
  readonly budget?: Duration;
  /** Default 2000. */
  readonly maxRuns?: number;
  /** Maximum number of pairs of faults, tried after the single ones. Default 100. */
  readonly pairs?: number;
  /** Number of tries that run in parallel. Default 4. */
  readonly parallel?: number;
  /** With the same seed, tries run in the same order. Default 1. */
  readonly seed?: number;
  /** Time limit of one try, in real time. Default 60s. */
  readonly timeout?: Duration;
  /**
   * On a running clock: how long the application must be idle before the account's clock jumps to the next job. Default
   * 150ms. A frozen clock is not changed; the story moves it.
   */
  readonly quiet?: Duration;
}

export type { Report };

let worlds = 0;

export async function exploreStory(
  sandbox: SandboxAccount,
  story: Story,
  settings: ExploreSettings = {},
  show: (exploration: object) => void = () => undefined,
): Promise<Report> {
  const {
    budget = '5m',
    maxRuns = 2000,
    pairs = 100,
    parallel = 4,
    seed = 1,
    timeout = '60s',
    quiet = '150ms',
  } = settings;
  if (!Number.isInteger(parallel) || parallel < 1) {
    throw invalidOption(`explore: parallel is ${String(parallel)}. Expected a whole number of at least 1.`);
  }
  const timeoutMs = parseDuration(timeout);
  let pace: string | null = null;
  const play: Play = async (placed) => {
    const world = sandbox.account(`explore-${(worlds += 1)}`);
    pace = (await world.clock.get()).mode === 'frozen' ? null : quiet;
    const startedAt = await prepare(world, placed, pace);
    const ending = await told(story, world, timeoutMs);
    const facts = await readFacts(world, startedAt);
    await drop(world);
    return { ...ending, facts };
  };
  const report = await explore({
    play,
    lanes: parallel,
    budgetMs: parseDuration(budget),
    mostRuns: maxRuns,
    mostPairs: pairs,
    seed,
    onProgress: (progress) => show(shownProgress(progress)),
    now: () => machineTime.monotonic(),
  });
  const files = fileNames(report.breaks);
  const scenarios = report.breaks.map((each, i) =>
    scenarioFile(each, files[i] ?? '', { command: '', extends: null, quiet: pace }),
  );
  show(shownReport(report, reportJson(report, files, scenarios)));
  return report;
}

async function told(story: Story, world: SandboxAccount, timeoutMs: number) {
  try {
    const said = await within(timeoutMs, Promise.resolve(story(world)));
    return said === 'late'
      ? { said: null, failure: null, timedOut: true }
      : { said: said ?? null, failure: null, timedOut: false };
  } catch (error) {
    const failure = error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error);
    return { said: null, failure, timedOut: false };
  }
}
