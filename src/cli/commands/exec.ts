import type { Command } from 'commander';
import { unknownVariables, type Config, type ConfigInput } from '../../config/index.js';
import { documentsOf } from '../../documents.js';
import type { Log } from '../../log.js';
import { coverageCatalogue } from '../../reports/coverage/catalogue.js';
import { unknownChoice } from '../../reports/coverage/report.js';
import { countWholeRun } from '../../reports/coverage/report.js';
import { printableLine } from '../../domain/printable.js';
import { judgeAccounts, type AccountsVerdict, type AccountVerdict } from '../../reports/verdict.js';
import type { Sandbox } from '../../sandbox.js';
import { isUntouched } from '../../scenario/runtime/verdict.js';
import { SandboxError } from '../../client/sandbox-error.js';
import { exercised, requireShare, withCoverageChoice, type CoverageFlags } from '../coverage-choice.js';
import { mayColour, newCommand } from '../command.js';
import { type ExecReports, type ExecResults, requireFormats, writeReports } from '../report-file.js';
import { CliFailure, QuietExit, UsageError } from '../failure.js';
import { closeSandbox, openLog, openSandbox, readConfig } from '../open-sandbox.js';
import { startFlags, withStartFlags } from '../start-flags.js';
import { connectionTo, environmentFor, keyFor, SignalRelay } from '../user-command.js';
import { linesOf } from '../verdict-report.js';

const HELP = `
The command finds the sandbox in MESSAGING_BASE_URL and MESSAGING_API_KEY (for the application), SANDBOX_URL and
SANDBOX_KEY (for the client commands), and the secret of each endpoint with an alias in MESSAGING_WEBHOOK_SECRET_<ALIAS>.
Signals are passed to it, and its exit code is passed on (128 + n for signal n). If it
succeeds and the scenario's verdict is "failed", the exit code is 1. 127: the command does not exist; 126: it is not executable.
Without --port or SANDBOX_PORT, a free port is used. Coverage counts every key and what a reset dropped; the verdict
judges every account that ran the scenario, deleted ones too. A Markdown summary is added to the file in
GITHUB_STEP_SUMMARY where that is set.

Examples:
  messaging-sandbox exec -- npm test
  messaging-sandbox exec --scenario otp-trouble --verdict verdict.xml --coverage coverage.md -- pytest -q`;

/** `exec`: runs a sandbox for the duration of one command. @param userCommand the arguments after `--` */
export function define(userCommand: readonly string[]): Command {
  return (
    withCoverageChoice(withStartFlags(newCommand('exec', 'Start the sandbox, run a command, stop it, report.')))
      .usage('[options] -- CMD…')
      .option('--coverage <FILE>', 'file for the coverage: .json, .md or .xml (JUnit)')
      .option('--verdict <FILE>', "file for the scenario's verdict: .json, .md or .xml (JUnit)")
      .addHelpText('after', HELP)
      .allowExcessArguments(true)
      // If a command lacks its "--", its flags are not ours: the message names the missing "--" instead of an unknown
      // flag.
      .passThroughOptions()
      .action(async (_flags: unknown, command: Command) => {
        requireCommand(command.args, userCommand);
        const files = command.opts<ExecReports & CoverageFlags>();
        requireFormats(files);
        const config = readConfig(onFreePort({ flags: startFlags(command), env: process.env }));
        requireKnown(config, files);
        const exitCode = await exec(config, userCommand, files);
        if (exitCode !== 0) throw new QuietExit(exitCode);
      })
  );
}

function requireCommand(stray: readonly string[], userCommand: readonly string[]): void {
  const [first] = stray;
  if (first !== undefined) {
    throw new UsageError(`exec: "${first}" must come after "--". Write exec [options] -- ${stray.join(' ')}.`);
  }
  if (userCommand.length === 0) throw new UsageError('exec: no command is given. Write exec [options] -- npm test.');
}

/** @throws CliFailure (2) for an unknown group */
function requireKnown(config: Config, choice: CoverageFlags): void {
  const catalogue = coverageCatalogue(documentsOf(config.dialect).api);
  for (const flag of ['include', 'ignore'] as const) {
    const wrong = unknownChoice(catalogue, choice[flag] ?? []);
    if (wrong !== null) throw new UsageError(`exec: --${flag}: ${wrong}`);
  }
}

/** PORT usually belongs to the application: if the sandbox used it, the application would fail at once. */
function onFreePort({ flags = {}, env = {} }: ConfigInput): ConfigInput {
  const wanted = flags['port'] ?? (env['SANDBOX_PORT']?.trim() || '0');
  return { flags: { ...flags, port: wanted }, env };
}

/** @returns the exit code of the command, or 1 if only the verdict or the coverage failed */
async function exec(
  config: Config,
  userCommand: readonly string[],
  files: ExecReports & CoverageFlags,
): Promise<number> {
  const relay = new SignalRelay();
  const log = openLog(config);
  for (const warning of unknownVariables(process.env)) log.warn(warning);
  const sandbox = await openSandbox(config, log);
  try {
    const coverage = countWholeRun(sandbox.accounts, documentsOf(config.dialect).api, files);
    const judge = watchVerdicts(sandbox, keyFor(config));
    const variables = environmentFor(sandbox, config);
    log.info('sandbox ready', { url: variables['MESSAGING_BASE_URL'] });
    const { exitCode } = await relay.run(userCommand, variables, 'inherit');
    await settle(sandbox, variables, log);
    const results = { coverage: coverage(), verdict: judge() };
    tell(results);
    try {
      writeReports(files, results);
      requireShare(results.coverage, files);
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

/**
 * Evaluates accounts when they are deleted: tests that create and delete one account each would otherwise leave nothing
 * to evaluate.
 * @returns the verdict on those and on the accounts that exist when it is called; null if no scenario ran
 */
function watchVerdicts({ accounts }: Sandbox, key: string): () => AccountsVerdict | null {
  const deleted: AccountVerdict[] = [];
  accounts.onDrop((account) => {
    if (!isUntouched(account)) deleted.push(...(judgeAccounts([account])?.accounts ?? []));
  });
  return () => {
    const own = accounts.of(key);
    const others = [...accounts.all()].filter(
      (account) => account !== own || deleted.length === 0 || !isUntouched(own),
    );
    const judged = [...deleted, ...(judgeAccounts(others, own)?.accounts ?? [])];
    return judged.length === 0 ? null : { passed: judged.every(({ passed }) => passed), accounts: judged };
  };
}

/** The last events that the command caused may still be on their way to a receiver; they belong to the verdict. */
async function settle({ accounts }: Sandbox, variables: Record<string, string>, log: Log): Promise<void> {
  const client = connectionTo(variables);
  const idle = (one: string) => client.as(one).call('POST', '/_sandbox/idle?timeout=10s');
  try {
    await Promise.all([...accounts.all()].map((account) => idle(account.key)));
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    log.warn(`deliveries were still in progress at the end: ${error.message}`);
  }
}

/** On stderr, because stdout belongs to the command. */
function tell({ coverage, verdict }: ExecResults): void {
  const lines = [`messaging-sandbox: ${exercised(coverage)}`];
  if (verdict !== null) {
    const [result = '', ...more] = linesOf(verdict, mayColour(process.stderr));
    lines.push(printableLine(`messaging-sandbox: ${result}`), ...more);
  }
  process.stderr.write(`${lines.join('\n')}\n`);
}
