/** Plays one scenario in a new sandbox on a frozen clock, and evaluates it. */
import type { Config } from '../../config/index.js';
import { ServiceError } from '../../domain/errors.js';
import type { Sandbox } from '../../sandbox.js';
import { lintNeverHit } from '../../scenario/reader/lints.js';
import type { Problem } from '../../scenario/reader/problems.js';
import { lastOffsetMs } from '../../scenario/engine/timeline.js';
import { type Verdict, verdictOf } from '../../scenario/runtime/judge-step.js';
import { CliFailure } from '../failure.js';
import { closeSandbox, openLog, openSandbox, readConfig } from '../open-sandbox.js';
import { environmentFor, keyFor } from '../user-command.js';
import type { CommandEnd, SignalRelay } from '../user-command.js';
import type { NamedScenario } from './named.js';
import { shownPath } from './named.js';
import { saySlow } from './say-slow.js';

export interface Played {
  readonly file: string;
  readonly passed: boolean;
  /** Null when the command took the scenario away. */
  readonly verdict: Verdict | null;
  /** Rules that decided nothing. */
  readonly neverHit: readonly Problem[];
  /** Null when no command was given. */
  readonly command: CommandEnd | null;
}

export interface PlayParts {
  readonly command: readonly string[];
  /** Runs the command; null when there is none. */
  readonly relay: SignalRelay | null;
  readonly commandOutput: 'inherit' | 'stderr';
}

type Account = ReturnType<Sandbox['accounts']['of']>;

/** @throws CliFailure when there is no sandbox to play in, or the command cannot be run */
export async function play({ file, path }: NamedScenario, parts: PlayParts): Promise<Played> {
  const config = playConfig(path);
  const log = openLog(config);
  const sandbox = await openSandbox(config, log);
  try {
    const account = sandbox.accounts.of(keyFor(config));
    const { quiet_real: quiet } = account.script.scenario?.clock ?? {};
    if (quiet === undefined || parts.relay === null) freeze(account, account.script.activatedAtMs);
    const { command, relay, commandOutput } = parts;
    const ended = (await relay?.run(command, environmentFor(sandbox, config), commandOutput)) ?? null;
    if (quiet !== undefined && parts.relay !== null) freeze(account, null);
    await saySlow(`${file}: playing its timeline; webhook answers are waited for`, toTheEnd(account));
    const verdict = verdictOf(account);
    const hitsOf = (id: string): number => account.store.tables.ruleHits.get(id)?.hits ?? 0;
    const neverHit = lintNeverHit(account.script.scenario?.rules ?? [], hitsOf);
    return {
      file,
      passed: verdict?.passed === true && (ended === null || ended.exitCode === 0),
      verdict,
      neverHit: neverHit.map((problem) => ({ ...problem, file: shownPath(problem.file) })),
      command: ended,
    };
  } finally {
    await closeSandbox(sandbox, log);
  }
}

/** The settings of the environment hold, but for those that would bring another scenario or an earlier run's data. */
function playConfig(path: string): Config {
  const { SANDBOX_DATA: _data, SANDBOX_SCENARIO: _scenario, SANDBOX_WATCH: _watch, ...env } = process.env;
  const logLevel = env['SANDBOX_LOG_LEVEL'] ? undefined : 'warn';
  const config = readConfig({ flags: { port: '0', clock: 'frozen', 'log-level': logLevel }, env });
  // Not as a flag, which would cut a path at its commas.
  return { ...config, scenarios: [path] };
}

/**
 * Stops the clock at the activation, whatever mode the scenario asks for: a run that follows the machine would end
 * differently on a slow one. It happens in the same turn as the activation, so nothing can have come between. Only a
 * clock with a quiet time goes on until the command has ended: a command that waits would wait in vain otherwise.
 */
function freeze({ store, clock }: Account, atMs: number | null): void {
  store.update(() => {
    store.setClock(clock.set('frozen', 1, atMs ?? clock.now()));
  });
}

async function toTheEnd({ script, clock, scheduler }: Account): Promise<void> {
  const { scenario, activatedAtMs } = script;
  if (scenario === null || activatedAtMs === null) return;
  try {
    await scheduler.advance(Math.max(activatedAtMs + lastOffsetMs(scenario), clock.now()));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new CliFailure(1, `the timeline cannot be played to its end: ${error.message}`, { cause: error });
  }
}
