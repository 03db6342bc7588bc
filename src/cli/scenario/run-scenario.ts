/** Plays one scenario in a new sandbox, alone or alongside an application, and evaluates it. */
import { SandboxError } from '../../client/sandbox-error.js';
import type { Config } from '../../config/index.js';
import { judgeAccounts, type AccountVerdict } from '../../reports/verdict.js';
import { ApplicationError } from '../../runner/application.js';
import { ApplicationProcess } from '../../runner/application-process.js';
import { flow, type Pace, type RunningClock } from '../../runner/flow.js';
import type { Sandbox } from '../../sandbox.js';
import { judgeFinalState } from '../../scenario/runtime/scenario-jobs.js';
import { lintNeverHit } from '../../scenario/reader/lints.js';
import type { Problem } from '../../scenario/language/problems.js';
import { parseDuration } from '../../time/duration.js';
import { machineTime } from '../../time/system-clock.js';
import { failWith, messageOf } from '../failure.js';
import { closeSandbox, configOfRun, openLog, openSandbox } from '../open-sandbox.js';
import { connectionTo, environmentFor, keyFor, type CommandEnd, type SignalRelay } from '../user-command.js';
import { shownPath, type NamedScenario } from './named.js';
import type { ProgressLine } from './progress-line.js';
import { begin, freeze, toTheEnd, unplayable } from './run-clock.js';

export interface Played {
  readonly file: string;
  readonly passed: boolean;
  /** One for each account that ran the scenario; empty if the command deactivated it. */
  readonly verdicts: readonly AccountVerdict[];
  /** Rules that never applied. */
  readonly neverHit: readonly Problem[];
  /** Null if no command was given. */
  readonly command: CommandEnd | null;
  /** The reason why the run did not reach its end: the application ended, or a signal arrived. */
  readonly cutShort: string | null;
  /** Machine milliseconds. */
  readonly durationMs: number;
}

export interface RunParts {
  readonly command: readonly string[];
  readonly relay: SignalRelay;
  readonly commandOutput: 'inherit' | 'stderr';
  readonly pace: Pace;
  /**
   * How long the application must be idle before the clock jumps, in machine milliseconds; null to use the scenario's
   * value.
   */
  readonly quietMs: number | null;
  /** The command line of an application that runs for the length of the scenario. */
  readonly app: string | null;
  readonly waitFor: { readonly url: string; readonly timeoutMs: number } | null;
  readonly progress: ProgressLine;
}

interface FlowingParts extends RunParts {
  readonly quietMs: number;
  readonly begin: (running: RunningClock) => boolean;
}

type Variables = Readonly<Record<string, string>>;
type Account = ReturnType<Sandbox['accounts']['of']>;

/** The longest wait for the first call of an application before time starts to pass, in machine milliseconds. */
const GRACE_MS = 5_000;
/** The same for an application that has responded to `--wait-for`: many listen before they register their webhook. */
const READY_GRACE_MS = 1_000;

/** @throws CliFailure if the sandbox cannot start, or the application or the command cannot run */
export async function runScenario({ file, path }: NamedScenario, parts: RunParts): Promise<Played> {
  const { relay, progress } = parts;
  // Not passed as a flag, which would split a path at its commas.
  const config: Config = { ...configOfRun({ clock: 'frozen' }), scenarios: [path] };
  const log = openLog(config);
  const key = keyFor(config);
  const application = new ApplicationProcess({
    command: parts.app,
    waitFor: parts.waitFor,
    variables: () => variables,
    onOutput: (text) => progress.passOn(text),
    codeOf: (phone) =>
      Promise.resolve(account.store.tables.otps.all().findLast(({ to }) => to === phone)?.code ?? null),
    signal: relay.stopped,
  });
  const applicationOf = (of: string) => (of === key ? application : null);
  const sandbox = await openSandbox(config, log, { applicationOf });
  const account = sandbox.accounts.of(key);
  freeze(account);
  const variables = environmentFor(sandbox, config);
  const startedMs = machineTime.monotonic();
  try {
    await application.start();
    const { quiet_real: ownQuiet = '500ms' } = account.script.scenario?.clock ?? {};
    const quietMs = parts.quietMs ?? parseDuration(ownQuiet);
    const { command, applicationEnd } = await alongside(file, variables, application, {
      ...parts,
      quietMs,
      begin: (running) => {
        application.begin();
        return begin(account, running);
      },
    });
    application.begin();
    if (relay.exitCode === null) {
      const playing = Promise.race([toTheEnd(sandbox), aborted(relay.stopped)]);
      await progress.during(`${file}: playing its timeline, waiting for webhook responses`, playing);
    }
    const cutShort = cutShortBy(relay, applicationEnd);
    // Evaluated before the application stops: actions at its end, such as removing its webhook, are not part of the
    // scenario.
    await judgeFinalState(account, application);
    const durationMs = machineTime.monotonic() - startedMs;
    return { file, command, cutShort, durationMs, ...evaluated(sandbox, account, command, cutShort) };
  } finally {
    await application.stop();
    await closeSandbox(sandbox, log);
  }
}

interface Ends {
  /** Null if no command was given. */
  readonly command: CommandEnd | null;
  /** The exit code of an application that ended before the scenario did. */
  readonly applicationEnd: number | null;
}

/** Runs the command and moves the clock until the command has ended; without a command, until the scenario has. */
async function alongside(
  file: string,
  variables: Variables,
  application: ApplicationProcess,
  parts: FlowingParts,
): Promise<Ends> {
  const { command, relay, commandOutput, progress } = parts;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, relay.stopped]);
  if (!runsAlongside(parts)) application.begin();
  const run = () => (command.length === 0 ? null : relay.run(command, variables, commandOutput));
  try {
    const gone = parts.app === null ? null : endOf(application, signal);
    // Without an application, the command makes the calls.
    const early = parts.app === null ? run() : null;
    await Promise.race([responds(parts, application), ...(early ? [early] : [])]);
    const ended = early ?? run();
    const flowing = runsAlongside(parts) ? keepFlowing(file, variables, parts, signal) : Promise.resolve();
    const atEnd: Promise<unknown> = ended === null ? flowing : Promise.race([ended, flowing.then(() => ended)]);
    await Promise.race([atEnd, gone ?? atEnd]);
    over.abort();
    const [end] = await Promise.all([ended, flowing]);
    return { command: end, applicationEnd: (await gone) ?? null };
  } finally {
    over.abort();
    progress.clear();
  }
}

/** A frozen clock waits for the end of a command; without an application, there is nothing to wait for. */
function runsAlongside({ command, app, pace }: RunParts): boolean {
  return command.length > 0 ? pace !== 'frozen' : app !== null;
}

async function responds({ waitFor, progress }: RunParts, application: ApplicationProcess): Promise<void> {
  if (waitFor === null) return;
  await progress.during(`waiting for ${waitFor.url}`, application.ready()).catch(failWith(1, ApplicationError));
}

async function keepFlowing(
  file: string,
  variables: Variables,
  { command, pace, quietMs, begin, waitFor, progress }: FlowingParts,
  signal: AbortSignal,
): Promise<void> {
  try {
    await flow({
      sandbox: connectionTo(variables),
      pace,
      quietMs,
      begin,
      graceMs: waitFor === null ? GRACE_MS : READY_GRACE_MS,
      toTheEnd: command.length === 0,
      signal,
      onProgress: (at) => progress.show(file, at),
    });
  } catch (error) {
    if (error instanceof SandboxError && !signal.aborted) throw unplayable(messageOf(error), error);
    if (!(error instanceof SandboxError)) throw error;
  }
}

/** Resolves with the exit code if the application ends, and with null when the run is over. */
function endOf(application: ApplicationProcess, signal: AbortSignal): Promise<number | null> {
  return new Promise((resolve) => {
    void application.ended.then((code) => resolve(signal.aborted ? null : code));
    void aborted(signal).then(() => resolve(null));
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
}

function cutShortBy(relay: SignalRelay, exitCode: number | null): string | null {
  if (relay.exitCode !== null) return 'interrupted; this is the verdict so far';
  return exitCode === null ? null : `the application ended with ${exitCode} before the scenario did`;
}

function evaluated(
  { accounts }: Sandbox,
  account: Account,
  command: CommandEnd | null,
  cutShort: string | null,
): Pick<Played, 'verdicts' | 'neverHit' | 'passed'> {
  const judged = judgeAccounts(accounts.all(), account);
  const hitsOf = (id: string): number => {
    const hits = [...accounts.all()].map(({ store }) => store.tables.ruleHits.get(id)?.hits ?? 0);
    return hits.reduce((sum, one) => sum + one, 0);
  };
  const neverHit = lintNeverHit(account.script.scenario?.rules ?? [], hitsOf);
  return {
    verdicts: judged?.accounts ?? [],
    neverHit: neverHit.map((problem) => ({ ...problem, file: shownPath(problem.file) })),
    passed: judged?.passed === true && cutShort === null && (command === null || command.exitCode === 0),
  };
}
