import { once } from 'node:events';
import { Option, type Command } from 'commander';
import { formatFaulty } from '../language/problems.js';
import { readDuration, ValueError } from '../config/values.js';
import { readSource, type ScenarioLibrary } from '../reader/library.js';
import { print, valueOption } from './command.js';
import { mayColour } from '../log.js';
import { QuietExit, UsageError } from '../failure.js';
import { junitOption, requireOneReport, writeJunit } from './report-file.js';
import type { PlayOptions } from '../client/types.js';
import { SignalRelay } from '../beside/user-command.js';
import { knownScenarios, loadNamed } from '../beside/scenario-file.js';
import { runJson, runJunit, runLines } from './run-report.js';
import type { Played } from '../beside/result.js';
import { runScenario, type RunParts } from '../beside/run-scenario.js';

type Pace = NonNullable<PlayOptions['pace']>;

const paces: readonly Pace[] = ['flow', 'frozen'];

/** Machine milliseconds. */
const READY_MS = 60_000;

interface Flags {
  readonly junit?: string;
  readonly json?: boolean;
  readonly clock: Pace;
  /** Machine milliseconds. */
  readonly quiet?: number;
  readonly app?: string;
  readonly waitFor?: string;
  readonly strict?: boolean;
  readonly keep?: boolean;
}

const HELP = `
Each scenario gets a new sandbox. The application finds it in MESSAGING_BASE_URL, MESSAGING_API_KEY and
MESSAGING_WEBHOOK_SECRET_<ALIAS>. To change settings of the sandbox, set variables such as SANDBOX_WEBHOOK_ROUTE.

With "-- CMD…", the timeline runs while the command runs, and continues to its end after the command.
With --app, the run ends when no job is due and the application has been idle for longer than its longest pause so far.
With both, the command calls the application. The command starts when --wait-for responds. Without --wait-for, it starts after the
application's first call, or after 5s.
A free port replaces {port} in --app and --wait-for. The application and the command find this port in PORT.

Time starts to pass at the application's first call, or after 5s. The 5s become 1s if --wait-for has responded, and the scenario
registers a webhook or begins with an http step. The clock:
  flow    follows the machine, and jumps to the next job while the application is idle
  frozen  moves only in such jumps, and not while a command runs

Ctrl-C stops the run and prints the verdict so far.
Exit code: 0 if everything passed; 1 if a check, the command or the application failed, or if a check can never match; 2 if a file
does not load.

Examples:
  messaging-sandbox scenario run scenarios/*.yaml -- npm test
  messaging-sandbox scenario run busy-day.yaml --app 'npm start' --wait-for http://localhost:{port}/livez
  messaging-sandbox scenario run otp-trouble --junit verdict.xml -- node login.js`;

export function addRun(scenario: Command, command: readonly string[]): void {
  scenario
    .command('run')
    .description('run scenarios to their end with your application or a command, and evaluate their checks')
    .argument('[files...]', 'paths, or names of shipped scenarios')
    .addOption(new Option('--clock <CLOCK>', 'how time passes for the application').choices(paces).default('flow'))
    .addOption(
      valueOption(
        '--quiet <DURATION>',
        'shortest idle time of the application before time jumps; default: measured',
        readDuration(3_600_000, '1h'),
      ),
    )
    .option('--strict', 'fail even if "scenario check" has warnings, a rule never applied, or a step was skipped')
    .option('--keep', 'if a run fails, keep its sandbox and application until Ctrl-C')
    .option('--app <COMMAND>', 'shell command that starts the application, such as "npm start"')
    .addOption(
      valueOption('--wait-for <URL>', 'URL that responds when the application is ready, within 60s', readWaitUrl),
    )
    .addOption(junitOption())
    .option('--json', 'print the verdicts as JSON')
    .usage('[options] <files...> [-- CMD…]')
    .addHelpText('after', HELP)
    .action(async (operands: readonly string[], given: Flags) => {
      const library = await knownScenarios();
      const { files, junit } = readOperands(operands, given, library);
      requireOneReport('scenario run', { ...given, junit });
      const isQuiet = given.json === true || junit === '-';
      const parts = partsOf(command, given, isQuiet);
      const scenarios = files.map((file) => loadNamed(library, file));
      const faulty = scenarios.flatMap(({ result }) => ('problems' in result ? [result] : []));
      if (faulty.length > 0) {
        // An incomplete run would look like a complete one.
        const texts = faulty.map((result) => formatFaulty(result, readSource));
        throw new UsageError(`nothing was played, because of this:\n\n${texts.join('\n\n')}`);
      }
      const relay = new SignalRelay();
      const runs: Played[] = [];
      const advice = new Set<string>();
      const show = (run: Played, base?: string) => {
        runs.push(run);
        const manner = { sourceOf: readSource, colour: mayColour(process.stdout), given: advice };
        const lines = runLines(run, { ...manner, ...(base !== undefined && { base }) });
        if (!isQuiet) process.stdout.write(`${lines.join('\n')}\n`);
      };
      const write = () => {
        if (given.json === true) print(true, runJson(runs), []);
        writeJunit(junit, runJunit(runs, command));
      };
      /** Sandbox and application run on until a signal comes. */
      const keep = async (run: Played, url: string) => {
        show(run, url);
        write();
        process.stderr.write(`messaging-sandbox: kept until Ctrl-C: ${url}/_sandbox/ui\n`);
        if (!relay.stopped.aborted) await once(relay.stopped, 'abort');
        throw new QuietExit(1);
      };
      try {
        for (const one of scenarios) {
          show(await runScenario(one, { ...parts, relay, onRed: given.keep === true ? keep : undefined }));
          if (relay.exitCode !== null) break;
        }
        write();
        const last = runs.at(-1)?.exitCode ?? null;
        if (relay.exitCode !== null) throw new QuietExit(last === null ? relay.exitCode : Math.max(last, 1));
        if (!runs.every(({ passed }) => passed)) throw new QuietExit(1);
      } finally {
        relay.release();
      }
    });
}

function partsOf(command: readonly string[], flags: Flags, isQuiet: boolean): Omit<RunParts, 'relay'> {
  const { clock: pace, app = null, waitFor } = flags;
  if (app?.trim() === '') throw new UsageError('scenario run: --app is empty. Give it a command, such as "npm start".');
  if (waitFor !== undefined && app === null && command.length === 0) {
    throw new UsageError('scenario run: --wait-for waits for an application. Start one with --app, or add "-- CMD…".');
  }
  return {
    command,
    commandOutput: isQuiet ? 'stderr' : 'stdout',
    pace,
    quietMs: flags.quiet ?? null,
    app,
    waitFor: waitFor === undefined ? null : { url: waitFor, timeoutMs: READY_MS },
    strict: flags.strict === true,
  };
}

function readWaitUrl(text: string): string {
  const url = text.replaceAll('{port}', '1');
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return text;
  throw new ValueError(text, 'an http:// or https:// URL, such as http://localhost:3000/livez');
}

/**
 * `--junit a.yaml` means a scenario and stdout: a report never overwrites a scenario.
 * @throws CliFailure (2)
 */
function readOperands(
  operands: readonly string[],
  { junit }: Flags,
  library: ScenarioLibrary,
): { files: readonly string[]; junit: string | undefined } {
  const isScenario = junit !== undefined && (/\.(?:ya?ml|json)$/i.test(junit) || library.names().includes(junit));
  const files = isScenario ? [junit, ...operands] : operands;
  if (files.length === 0)
    throw new UsageError('scenario run: Missing argument "files". See "messaging-sandbox scenario run --help".');
  return { files, junit: isScenario ? '-' : junit };
}
