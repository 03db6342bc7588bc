import { Option } from 'commander';
import type { Command } from 'commander';
import { printable } from '../../domain/printable.js';
import { formatFaulty } from '../../scenario/reader/problems.js';
import type { ScenarioLibrary } from '../../scenario/runtime/library.js';
import { mayColour } from '../colour.js';
import { CliFailure, QuietExit } from '../failure.js';
import { print } from '../print.js';
import { writeReport } from '../report-file.js';
import { SignalRelay } from '../user-command.js';
import type { NamedScenario } from './named.js';
import { knownScenarios, loadNamed } from './named.js';
import type { Played } from './play.js';
import { play } from './play.js';
import { runJson, runJunit, runLines } from './run-report.js';

interface Flags {
  readonly junit?: string;
  readonly json?: boolean;
}

const HELP = `
Each scenario gets a sandbox of its own with a frozen clock; one whose clock has a quiet_real keeps that while the command
runs. With "-- CMD…" the command runs first, and finds the
sandbox in MESSAGING_BASE_URL, MESSAGING_API_KEY, SANDBOX_URL, SANDBOX_KEY and MESSAGING_WEBHOOK_SECRET_<ALIAS>. Then
the timeline is played to its end, and what the scenario expects is judged. Other settings are taken from their
variables, such as SANDBOX_WEBHOOK_ROUTE.
Exit code 1 when a check or the command failed, 2 when a file does not load.

Examples:
  messaging-sandbox scenario run scenarios/*.yaml -- npm test
  messaging-sandbox scenario run otp-trouble --junit verdict.xml -- node login.js`;

/** `scenario run`: plays scenarios and prints their verdicts. */
export function addRun(scenario: Command, command: readonly string[]): void {
  scenario
    .command('run')
    .description('play scenarios to their end on a frozen clock, with a command beside them, and judge them')
    .argument('[files...]', 'paths, or names of shipped scenarios')
    .addOption(
      new Option('--junit [FILE]', 'write the verdicts as JUnit XML; without FILE, or with -, to stdout').preset('-'),
    )
    .option('--json', 'print the verdicts as JSON')
    .usage('[options] <files...> [-- CMD…]')
    .addHelpText('after', HELP)
    .action(async (operands: readonly string[], given: Flags) => {
      const library = knownScenarios();
      const { files, flags } = told(operands, given, library);
      if (flags.json === true && flags.junit === '-') {
        throw new CliFailure(2, 'scenario run: --json and --junit - both want stdout. Give --junit a file.');
      }
      const scenarios = files.map((file) => loadNamed(library, file));
      requireLoadable(library, scenarios);
      const runs = await playAll(scenarios, command, flags, library);
      if (flags.json === true) print(true, runJson(runs), []);
      if (flags.junit !== undefined) writeJunit(flags.junit, runJunit(runs, command));
      const interrupted = runs.find((run) => run.command?.interrupted === true);
      if (interrupted?.command) throw new QuietExit(Math.max(interrupted.command.exitCode, 1));
      if (!runs.every(({ passed }) => passed)) throw new QuietExit(1);
    });
}

/** `--junit a.yaml` means a scenario and stdout: no report is written over a scenario. @throws CliFailure (2) */
function told(
  operands: readonly string[],
  flags: Flags,
  library: ScenarioLibrary,
): { files: readonly string[]; flags: Flags } {
  const { junit } = flags;
  const isScenario = junit !== undefined && (/\.(?:ya?ml|json)$/i.test(junit) || library.names().includes(junit));
  const files = isScenario ? [junit, ...operands] : operands;
  if (files.length === 0) throw new CliFailure(2, "scenario run: missing required argument 'files'.");
  return { files, flags: isScenario ? { ...flags, junit: '-' } : flags };
}

/** Nothing is played while a file is faulty: half a run would look like a whole one. */
function requireLoadable(library: ScenarioLibrary, scenarios: readonly NamedScenario[]): void {
  const faulty = scenarios.flatMap(({ result }) => ('problems' in result ? [result] : []));
  if (faulty.length === 0) return;
  const texts = faulty.map((result) => formatFaulty(result, (file) => library.sourceOf(file)));
  throw new CliFailure(2, `nothing was played, because of this:\n\n${texts.join('\n\n')}`);
}

/** One after the other; a signal that asks us to stop ends the series. */
async function playAll(
  scenarios: readonly NamedScenario[],
  command: readonly string[],
  flags: Flags,
  library: ScenarioLibrary,
): Promise<Played[]> {
  const quiet = flags.json === true || flags.junit === '-';
  const commandOutput = quiet ? 'stderr' : 'inherit';
  const relay = command.length === 0 ? null : new SignalRelay();
  const runs: Played[] = [];
  try {
    for (const scenario of scenarios) {
      const run = await play(scenario, { command, relay, commandOutput });
      runs.push(run);
      const lines = runLines(run, (file) => library.sourceOf(file), mayColour(process.stdout));
      if (!quiet) process.stdout.write(`${lines.join('\n')}\n`);
      if (run.command?.interrupted === true) break;
    }
    return runs;
  } finally {
    relay?.release();
  }
}

function writeJunit(file: string, xml: string): void {
  if (file === '-') process.stdout.write(printable(xml));
  else writeReport(file, xml);
}
