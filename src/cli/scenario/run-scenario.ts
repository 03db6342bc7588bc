/** Plays one scenario in a new sandbox, alone or alongside an application, and evaluates it. */
import type { Config } from '../../config/index.js';
import { ServiceError } from '../../domain/errors.js';
import { judgeAccounts, type AccountVerdict } from '../../reports/verdict.js';
import { ApplicationError } from '../../runner/application.js';
import { ApplicationProcess } from '../../runner/application-process.js';
import type { Sandbox } from '../../sandbox.js';
import { lintNeverHit } from '../../scenario/reader/lint-order.js';
import type { Problem } from '../../scenario/schema/problems.js';
import { judgeFinalState } from '../../scenario/run/scenario-jobs.js';
import { machineTime } from '../../time/system-clock.js';
import { failWith } from '../failure.js';
import { closeSandbox, configOfRun, openLog, openSandbox } from '../open-sandbox.js';
import { environmentFor, keyFor, type CommandEnd, type SignalRelay } from '../user-command.js';
import { Activity } from './activity.js';
import { flow, type FlowEnd, type Pace, type RunEnd } from './flow.js';
import { shownPath, type NamedScenario } from './named.js';
import type { ProgressLine } from './progress-line.js';
import { freeze, toTheEnd, unplayable } from './run-clock.js';

export interface Played {
  readonly file: string;
  readonly passed: boolean;
  /** One for each account that ran the scenario; empty if the command deactivated it. */
  readonly verdicts: readonly AccountVerdict[];
  /** Expectations that nothing can match: they fail the run. */
  readonly impossible: readonly Problem[];
  /** Rules that never applied, and other warnings about the file. With `--strict`, they fail the run. */
  readonly warnings: readonly Problem[];
  /** Null if no command was given. */
  readonly command: CommandEnd | null;
  /** What ended the run; null if a command did. */
  readonly ended: RunEnd | null;
  /** Calls that the application made after the run had ended. */
  readonly callsAfter: readonly string[];
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
  /** The shortest time for which the application must be idle before the clock jumps, in machine milliseconds. */
  readonly quietMs: number | null;
  /** The command line of an application that runs for the length of the scenario. */
  readonly app: string | null;
  readonly waitFor: { readonly url: string; readonly timeoutMs: number } | null;
  /** Whether warnings fail the run. */
  readonly strict: boolean;
  readonly progress: ProgressLine;
}

/** The longest wait for the first call of an application before time starts to pass, in machine milliseconds. */
const GRACE_MS = 5_000;
/** The same for an application that has responded to `--wait-for`: many listen before they register their webhook. */
const READY_GRACE_MS = 1_000;
/** A command does its own work between its calls: a pause of this length does not mean that it is idle. */
const COMMAND_QUIET_MS = 500;
/** Machine milliseconds in which calls after the end are noticed. */
const AFTER_MS = 150;

/** @throws CliFailure if the sandbox cannot start, or the application or the command cannot run */
export async function runScenario(scenario: NamedScenario, parts: RunParts): Promise<Played> {
  const { file, path } = scenario;
  const { relay, progress, app, waitFor } = parts;
  // Not passed as a flag, which would split a path at its commas.
  const config: Config = { ...configOfRun({ clock: 'frozen' }), scenarios: [path] };
  const log = openLog(config);
  const key = keyFor(config);
  const activity = new Activity(parts.quietMs ?? (parts.command.length > 0 ? COMMAND_QUIET_MS : undefined));
  const application = new ApplicationProcess({
    command: app,
    waitFor,
    variables: () => variables,
    onOutput: (text) => progress.passOn(text),
    codeOf: (phone) =>
      Promise.resolve(account.store.tables.otps.all().findLast(({ to }) => to === phone)?.code ?? null),
    onStep: () => activity.note(),
    signal: relay.stopped,
  });
  const applicationOf = (of: string) => (of === key ? application : null);
  const sandbox = await openSandbox(config, log, { applicationOf, observer: activity });
  const account = sandbox.accounts.of(key);
  freeze(account);
  const variables = environmentFor(sandbox, config);
  const startedMs = machineTime.monotonic();
  try {
    await application.start();
    const ends = await alongside({ ...parts, file, variables, account, activity, application });
    if (relay.exitCode === null && ends.ended === null) {
      const playing = Promise.race([toTheEnd(sandbox), aborted(relay.stopped)]);
      await progress.during(`${file}: playing its timeline, waiting for webhook responses`, playing);
    }
    await judgeFinalState(account, application);
    const cutShort = cutShortBy(relay, ends.applicationEnd);
    // Evaluated before the application stops: actions at its end, such as removing its webhook, are not part of the
    // scenario.
    const durationMs = machineTime.monotonic() - startedMs;
    const { command, ended } = ends;
    const evaluated = evaluate(sandbox, account, scenario, { command, cutShort, strict: parts.strict });
    const callsAfter = ended === null ? [] : await callsAfterTheEnd(activity);
    return { file, command, ended, callsAfter, cutShort, durationMs, ...evaluated };
  } finally {
    await application.stop();
    await closeSandbox(sandbox, log);
  }
}

interface Running extends RunParts {
  readonly file: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly account: ReturnType<Sandbox['accounts']['of']>;
  readonly activity: Activity;
  readonly application: ApplicationProcess;
}

interface Ends {
  /** Null if no command was given. */
  readonly command: CommandEnd | null;
  /** The exit code of an application that ended before the scenario did. */
  readonly applicationEnd: number | null;
  readonly ended: RunEnd | null;
}

/** Runs the command and moves the clock until the command has ended; without a command, until the scenario has. */
async function alongside(running: Running): Promise<Ends> {
  const { command, relay, commandOutput, application, app, progress, variables } = running;
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, relay.stopped]);
  const flows = command.length > 0 ? running.pace !== 'frozen' : app !== null || running.waitFor !== null;
  if (!flows) application.begin();
  const run = () => (command.length === 0 ? null : relay.run(command, variables, commandOutput));
  try {
    const gone = app === null ? null : endOf(application, signal);
    // Without an application, the command makes the calls.
    const early = app === null ? run() : null;
    await Promise.race([responds(running), ...(early ? [early] : [])]);
    const ended = early ?? run();
    const flowing = flows ? keepFlowing(running, signal) : Promise.resolve(null);
    const atEnd: Promise<unknown> = ended === null ? flowing : Promise.race([ended, flowing.then(() => ended)]);
    await Promise.race([atEnd, gone ?? atEnd]);
    over.abort();
    const [end, flowEnd] = await Promise.all([ended, flowing]);
    const reached = typeof flowEnd === 'object' ? flowEnd : null;
    return { command: end, applicationEnd: (await gone) ?? null, ended: reached };
  } finally {
    over.abort();
    application.begin();
    progress.clear();
  }
}

async function responds({ waitFor, progress, application }: Running): Promise<void> {
  if (waitFor === null) return;
  await progress.during(`waiting for ${waitFor.url}`, application.ready()).catch(failWith(1, ApplicationError));
}

async function keepFlowing(running: Running, signal: AbortSignal): Promise<FlowEnd | null> {
  const { file, command, pace, account, activity, application, waitFor, progress } = running;
  try {
    return await flow({
      account,
      activity,
      pace,
      graceMs: waitFor === null ? GRACE_MS : READY_GRACE_MS,
      onBegin: () => application.begin(),
      awaitsState: () => application.isAwaited,
      toTheEnd: command.length === 0,
      signal,
      onProgress: (at) => progress.show(file, at),
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (signal.aborted) return null;
    throw unplayable(error.message, error);
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

async function callsAfterTheEnd(activity: Activity): Promise<string[]> {
  const before = activity.changes;
  await new Promise<void>((resolve) => void machineTime.setTimer(AFTER_MS, () => resolve()));
  return activity.changes === before ? [] : [activity.latestCall];
}

function cutShortBy(relay: SignalRelay, exitCode: number | null): string | null {
  if (relay.exitCode !== null) return 'interrupted; this is the verdict so far';
  return exitCode === null ? null : `the application ended with ${exitCode} before the scenario did`;
}

type Outcome = Pick<Played, 'command' | 'cutShort'> & Pick<RunParts, 'strict'>;

function evaluate(
  { accounts }: Sandbox,
  account: Running['account'],
  { result }: NamedScenario,
  { command, cutShort, strict }: Outcome,
): Pick<Played, 'verdicts' | 'impossible' | 'warnings' | 'passed'> {
  const judged = judgeAccounts(accounts.all(), account);
  const hitsOf = (id: string): number => {
    const hits = [...accounts.all()].map(({ store }) => store.tables.ruleHits.get(id)?.hits ?? 0);
    return hits.reduce((sum, one) => sum + one, 0);
  };
  const rules = 'scenario' in result ? result.scenario.rules : [];
  const impossible = result.warnings.filter(isImpossible);
  const ofFile = result.warnings.filter((warning) => !isImpossible(warning));
  const neverHit = lintNeverHit(rules, hitsOf);
  const skipped = judged?.accounts.some(({ warnings = [] }) => warnings.length > 0) === true;
  const doubtful = ofFile.length > 0 || neverHit.length > 0 || skipped;
  return {
    verdicts: judged?.accounts ?? [],
    impossible,
    warnings: (strict ? [...ofFile, ...neverHit] : neverHit).map((one) => ({ ...one, file: shownPath(one.file) })),
    passed:
      judged?.passed === true &&
      impossible.length === 0 &&
      !(strict && doubtful) &&
      cutShort === null &&
      (command === null || command.exitCode === 0),
  };
}

/** Whether no record can ever match the condition: such a check passes or fails whatever the application does. */
function isImpossible({ path, code }: Problem): boolean {
  return code === 'never_fits' && /^expect\[/.test(path);
}
