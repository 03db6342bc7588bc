/** Plays one scenario in a new sandbox, alone or alongside an application, and evaluates it. */
import type { Config } from '../config/index.js';
import { ServiceError } from '../domain/errors.js';
import { ApplicationError, lastOf } from './spawn.js';
import { ApplicationProcess } from './application-process.js';
import type { Stage } from '../sandbox.js';
import { isOfCommand } from '../language/calls.js';
import type { PlayOptions } from '../client/types.js';
import { leastPauseMs } from '../time/quiet.js';
import { machineTime } from '../time/system-clock.js';
import { failWith } from '../failure.js';
import { closeSandbox, configOfRun, openLog, openSandbox } from './open-sandbox.js';
import { environmentFor, keyFor, type SignalRelay } from './user-command.js';
import type { NamedScenario } from './scenario-file.js';
import { problemsOf, resultOf, untilStepOf, type Played } from './result.js';

export interface RunParts {
  readonly command: readonly string[];
  readonly relay: SignalRelay;
  readonly commandOutput: 'stdout' | 'stderr';
  readonly pace: NonNullable<PlayOptions['pace']>;
  /** Machine milliseconds before the clock jumps. */
  readonly quietMs: number | null;
  /** The command line of an application that runs for the length of the scenario. */
  readonly app: string | null;
  readonly waitFor: { readonly url: string; readonly timeoutMs: number } | null;
  readonly strict: boolean;
  /** Called with the URL of the sandbox if the run failed, before the sandbox and the application stop. */
  readonly onRed?: ((run: Played, url: string) => Promise<void>) | undefined;
}

/** The longest wait for a first call, in machine milliseconds, and for the first call of an application that responds to `--wait-for`. */
const [GRACE_MS, READY_GRACE_MS] = [5_000, 1_000];
const COMMAND_QUIET_MS = 500;

/** @throws CliFailure */
export async function runScenario(scenario: NamedScenario, parts: RunParts): Promise<Played> {
  const { relay, app, waitFor } = parts;
  // Not passed as a flag, which would split a path at its commas.
  const config: Config = { ...configOfRun({ clock: 'frozen' }), scenarios: [scenario.path] };
  const log = openLog(config);
  const key = keyFor(config);
  const application = new ApplicationProcess({
    command: app,
    waitFor,
    address: config.applicationUrl,
    variables: () => variables,
    onOutput: (text) => process.stderr.write(text),
    signal: relay.stopped,
  });
  const programOf = (of: string) => (of === key ? application : null);
  const sandbox = await openSandbox(config, log, { programOf });
  const stage = sandbox.stage(key);
  stage.freeze();
  const variables = environmentFor(sandbox, config, key);
  const expect = 'scenario' in scenario.result ? scenario.result.scenario.expect : [];
  const isRead = expect.some((one) => 'state' in one && Object.keys(one.state).some(isOfCommand));
  const onOutput = isRead ? (text: string) => (application.stdout = lastOf(application.stdout + text)) : undefined;
  const startedMs = machineTime.monotonic();
  try {
    await application.start();
    const played = await play({ ...parts, stage, application, onOutput });
    // Evaluated before the application stops: actions at its end, such as removing its webhook, are not part of the
    // scenario.
    const verdicts = stage.verdicts();
    const durationMs = machineTime.monotonic() - startedMs;
    const run = { file: scenario.file, verdicts, ...problemsOf(scenario, stage), ...played, durationMs };
    const callAfter = played.ended === null ? null : await stage.callAfterTheEnd();
    const result = { ...run, ...resultOf(run, parts), callAfter, untilStep: untilStepOf(expect, verdicts) };
    if (!result.passed && !relay.stopped.aborted) await parts.onRed?.(result, sandbox.url);
    return result;
  } finally {
    await application.stop();
    await closeSandbox(sandbox, log);
  }
}

interface Running extends RunParts {
  readonly stage: Stage;
  readonly application: ApplicationProcess;
  /** Keeps what the command writes, if a check reads it. */
  readonly onOutput: ((text: string) => void) | undefined;
}

async function play(run: Running): Promise<Pick<Played, 'exitCode' | 'ended' | 'cutShort'>> {
  const { stage, relay, application, app, waitFor } = run;
  const appEnd: { code?: number } = {};
  const over = new AbortController();
  void application.ended.then((code) => {
    appEnd.code = code;
    over.abort();
  });
  const signal = AbortSignal.any([over.signal, relay.stopped]);
  const isOver = () => signal.aborted;
  try {
    const exitCode = await untilCommandEnds(run, signal);
    const { pace } = run;
    const isBeside = app !== null || waitFor !== null;
    let ended: Played['ended'] = null;
    if (!isOver()) {
      const options = isBeside ? { pace, quietMs: quietMs(run), graceMs: graceMs(run) } : { pace, isAlone: true };
      ended = await stage.play({ ...options, signal });
    }
    await stage.playOthers(signal);
    const reason =
      appEnd.code === undefined ? null : `the application ended with ${appEnd.code} before the scenario did`;
    const cutShort = relay.exitCode === null ? reason : 'interrupted; this is the verdict so far';
    return { exitCode, ended: cutShort === null ? ended : null, cutShort };
  } catch (error) {
    return failWith(1, ServiceError, 'the timeline cannot be played to its end: ')(error);
  } finally {
    stage.release();
  }
}

/** Waits until the application is ready, then runs the command while time passes. @returns its exit code, if there is one */
async function untilCommandEnds(run: Running, signal: AbortSignal): Promise<number | null> {
  const { stage, command, relay, commandOutput, application, pace, onOutput } = run;
  const start = () => relay.run(command, application.variables, commandOutput, onOutput);
  // Without --app, the command starts the application.
  const early = run.app === null && command.length > 0 ? start() : null;
  const ready = stage.untilReady(application.ready()).catch(failWith(1, ApplicationError));
  await (early === null ? ready : Promise.race([ready, early]));
  if (command.length === 0) return null;
  // Without --wait-for, the application is ready for the command once it has made its first call.
  if (early === null && run.waitFor === null) await stage.firstCall(graceMs(run), signal);
  const ended = early ?? start();
  if (pace === 'frozen') {
    stage.release();
    return ended;
  }
  const over = new AbortController();
  const passing = letTimePass(run, AbortSignal.any([signal, over.signal]));
  try {
    return await ended;
  } finally {
    over.abort();
    await passing;
  }
}

/** Lets time pass from the first call of the application, unless someone else has moved the clock. */
async function letTimePass(run: Running, signal: AbortSignal): Promise<void> {
  await run.stage.firstCall(graceMs(run), signal);
  if (!signal.aborted) run.stage.begin(quietMs(run));
}

/** A command does its own work between its calls: a short pause does not mean that it is idle. */
const quietMs = (run: RunParts) => run.quietMs ?? (run.command.length > 0 ? COMMAND_QUIET_MS : leastPauseMs);

/** Once it has responded, an application that a webhook or the call of a user can reach need not call first. */
function graceMs({ stage, waitFor }: Running): number {
  return waitFor !== null && stage.isReachable ? READY_GRACE_MS : GRACE_MS;
}
