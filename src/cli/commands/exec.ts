import type { Command } from 'commander';
import { resolveConfig, unknownVariables, type Config } from '../../config/index.js';
import { readText, ValueError } from '../../config/values.js';
import { documentsOf } from '../../documents.js';
import { printable, printableLine } from '../../domain/text.js';
import { harLines } from '../../record/har.js';
import { coverageJunit, coverageMarkdown, coverageOf, percent } from '../../reports/coverage.js';
import { postMortem } from '../../reports/post-mortem.js';
import { type AccountsVerdict, junitOf, linesOf, markdownOf, verdictJson } from '../../reports/verdict-formats.js';
import type { History } from '../../sandbox.js';
import type { ScenarioLibrary } from '../../reader/library.js';
import { isImpossibleCheck } from '../../language/problems.js';
import { version } from '../../version.js';
import { shellWords, valueOption } from '../command.js';
import { mayColour } from '../../log.js';
import { CliFailure, QuietExit, UsageError } from '../../failure.js';
import { closeSandbox, openLog, openSandbox } from '../../beside/open-sandbox.js';
import { startFlags, withSandboxFlags } from '../sandbox-flags.js';
import { addToSummary, asJson, readReportFile, writeReport, type ReportFile } from '../report-file.js';
import { warningLines } from '../named.js';
import { knownScenarios, loadNamed } from '../../beside/scenario-file.js';
import { environmentFor, keyFor, SignalRelay } from '../../beside/user-command.js';

/** Machine milliseconds for the deliveries that the command caused last. */
const LAST_DELIVERIES_MS = 10_000;

interface Flags {
  readonly verdict?: ReportFile;
  readonly coverage?: ReportFile;
  readonly failUnder?: number;
  readonly journal?: string;
}

const HELP = `
The command finds the sandbox in MESSAGING_BASE_URL and MESSAGING_API_KEY. If the scenario registers an endpoint with an alias, its
secret is in MESSAGING_WEBHOOK_SECRET_<ALIAS>. Without --port or SANDBOX_PORT, the sandbox uses a free port.

If the command fails, exec prints its last calls and the failed deliveries. exec exits with the exit code of the command: 128 + n
after signal n, 127 if the command does not exist, 126 if it is not executable. If the command succeeds but the verdict is "failed",
exec exits with 1.

Reports include accounts that the command deleted. If GITHUB_STEP_SUMMARY is set, exec adds the verdict to that file.
exec ends with the command, even in the middle of a scenario's timeline. To run the whole timeline, use "scenario run". If the
timeline has http steps, set --application-url. The verdict fails if one of these steps has not run.

Examples:
  messaging-sandbox exec -- npm test
  messaging-sandbox exec --scenario otp-trouble --verdict verdict.xml --journal calls.har -- pytest -q`;

export function exec(command: Command, userCommand: readonly string[]): void {
  const percentage = 'smallest percentage of the API that the command must exercise; below it, exit code 1';
  const coverage = 'file for the coverage of the API: .json, .md or .xml (JUnit)';
  const verdict = "file for the scenario's verdict: .json, .md or .xml (JUnit)";
  command
    .usage('[options] -- CMD…')
    .addOption(valueOption('--verdict <FILE>', verdict, readReportFile))
    .addOption(valueOption('--coverage <FILE>', coverage, readReportFile))
    .addOption(valueOption('--fail-under <PERCENT>', percentage, readPercent))
    .addOption(
      valueOption('--journal <FILE>', 'file for all calls and webhook requests, as an HTTP Archive', readText),
    );
  withSandboxFlags(command)
    .addHelpText('after', HELP)
    .allowExcessArguments(true)
    // If a command lacks its "--", its flags are not ours: the message names the missing "--" instead of an unknown flag.
    .passThroughOptions()
    .action(async (flags: Flags) => {
      requireCommand(command.args, userCommand);
      // PORT usually belongs to the application: if the sandbox used it, the application would fail at once.
      const env = { ...process.env, PORT: '0' };
      const config = resolveConfig({ flags: startFlags(command), env });
      if (flags.verdict !== undefined) requireScenario(config);
      const exitCode = await runBeside(config, userCommand, flags);
      if (exitCode !== 0) throw new QuietExit(exitCode);
    });
}

function readPercent(text: string): number {
  if (/^\d{1,3}(?:\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text);
  throw new ValueError(text, 'a number from 0 to 100');
}

function requireCommand(stray: readonly string[], userCommand: readonly string[]): void {
  const [first] = stray;
  if (first !== undefined) {
    throw new UsageError(`exec: "${first}" must come after "--". Write exec [options] -- ${stray.join(' ')}.`);
  }
  if (userCommand.length === 0) throw new UsageError('exec: no command is given. Write exec [options] -- npm test.');
}

function requireScenario({ scenarios, apiKeys }: Config): void {
  if (scenarios.length > 0 || apiKeys?.some((key) => key.includes('~')) === true) return;
  throw new UsageError(
    'exec: --verdict needs a scenario to evaluate. Name one with --scenario, such as --scenario otp-trouble, or omit --verdict.',
  );
}

/** The exit code is 1 if only a report says that the command failed. */
async function runBeside(config: Config, userCommand: readonly string[], flags: Flags): Promise<number> {
  const relay = new SignalRelay();
  const log = openLog(config);
  for (const warning of unknownVariables(process.env)) log.warn(warning);
  const sandbox = await openSandbox(config, log);
  try {
    const library = await knownScenarios();
    for (const line of warningLines(library, config.scenarios)) process.stderr.write(`${printable(line)}\n`);
    const history = await sandbox.history();
    const key = keyFor(config);
    log.info('sandbox ready', { url: sandbox.url });
    const exitCode = await relay.run(userCommand, environmentFor(sandbox, config, key), 'stdout');
    // The last events that the command caused may still be on their way to a receiver; they belong to the verdict.
    if (!(await history.settle(LAST_DELIVERIES_MS))) log.warn('deliveries were still in progress at the end');
    const results = resultsOf(history, config, library);
    const kept = flags.journal === undefined ? '; --journal FILE keeps all of them' : ` (all: ${flags.journal})`;
    say([
      ...(results.verdict === null ? [] : linesOf(results.verdict, mayColour(process.stderr))),
      ...unplayed(history, [...config.scenarios, '--', ...userCommand]),
      ...(exitCode === 0 ? [] : [`the command ended with ${exitCode}`, ...postMortem(results.traces, kept)]),
    ]);
    try {
      write(flags, results);
    } catch (error) {
      // The command's own failure is the one to report; a report that is also missing is only logged.
      if (exitCode === 0 || !(error instanceof CliFailure)) throw error;
      log.error(error.message);
    }
    return exitCode === 0 && results.verdict?.passed === false ? 1 : exitCode;
  } finally {
    await closeSandbox(sandbox, log);
    relay.release();
  }
}

interface Results {
  readonly coverage: ReturnType<typeof coverageOf>;
  readonly archive: () => string;
  readonly traces: Parameters<typeof postMortem>[0];
  readonly verdict: AccountsVerdict | null;
}

function resultsOf(history: History, config: Config, library: ScenarioLibrary): Results {
  const seen = history.seen();
  const verdict = history.verdict();
  return {
    coverage: coverageOf(
      documentsOf(config.dialect).api,
      seen.map(({ hits }) => hits),
    ),
    archive: () => [...harLines(history.exchanges(), version)].join(''),
    traces: seen.map(({ trace }) => trace),
    verdict: verdict && withImpossible(verdict, config, library),
  };
}

/** After the command, no record can be added any more: a check that none can match fails like any other. */
function withImpossible(verdict: AccountsVerdict, config: Config, library: ScenarioLibrary): AccountsVerdict {
  const [name] = config.scenarios;
  if (name === undefined) return verdict;
  const { scenario, warnings } = { scenario: null, ...loadNamed(library, name).result };
  const impossible = warnings.filter(isImpossibleCheck).map((warning) => ({
    passed: false,
    at: 'finish',
    that: warning.path,
    expected: 'something can match it',
    found: `${warning.file}:${warning.line}: ${warning.message}`,
  }));
  if (impossible.length === 0) return verdict;
  const failed = { passed: false, scenario: scenario?.name ?? name, checks: impossible };
  // No record can match, so perhaps no account took part; this is why.
  if (verdict.accounts.length === 0) {
    const { reason: _, ...rest } = verdict;
    return { ...rest, passed: false, accounts: [{ account: keyFor(config), ...failed }] };
  }
  const accounts = verdict.accounts.map((one) =>
    one.scenario === failed.scenario ? { ...one, passed: false, checks: [...one.checks, ...impossible] } : one,
  );
  return { ...verdict, passed: false, accounts };
}

/** The command does not wait for the timeline of its scenario, so some of it may not have happened. */
function unplayed({ hasStepsLeft }: History, operands: readonly string[]): string[] {
  const play = `messaging-sandbox scenario run ${shellWords(operands)}`;
  return hasStepsLeft ? [`the command ended before the timeline of the scenario. To play all of it, use: ${play}`] : [];
}

/** On stderr, because stdout belongs to the command. */
function say(lines: readonly string[]): void {
  for (const line of lines) {
    const own = /^\s|^[✓✗]/.test(line);
    process.stderr.write(own ? `${line}\n` : `messaging-sandbox: ${printableLine(line)}\n`);
  }
}

function write(flags: Flags, { coverage, archive, verdict }: Results): void {
  if (flags.coverage !== undefined) {
    const texts = { json: asJson, markdown: coverageMarkdown, junit: coverageJunit };
    writeReport(flags.coverage.path, texts[flags.coverage.format](coverage));
  }
  if (flags.journal !== undefined) writeReport(flags.journal, archive());
  if (verdict !== null) addToSummary(markdownOf(verdict));
  if (flags.verdict !== undefined && verdict !== null) {
    const forms = { json: (each: AccountsVerdict) => asJson(verdictJson(each)), markdown: markdownOf, junit: junitOf };
    writeReport(flags.verdict.path, forms[flags.verdict.format](verdict));
  }
  const { failUnder } = flags;
  const { covered, total } = coverage;
  if (failUnder === undefined || covered * 100 >= failUnder * total) return;
  throw new CliFailure(
    1,
    `${percent(coverage)} % of the API was exercised (${covered} of ${total}), less than the ${failUnder} % of --fail-under.`,
  );
}
