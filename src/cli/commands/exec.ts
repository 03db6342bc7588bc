import type { Command } from 'commander';
import { unknownVariables } from '../../config/index.js';
import type { Config, ConfigInput } from '../../config/index.js';
import { documentsOf } from '../../documents.js';
import type { Log } from '../../log.js';
import { percent } from '../../reports/coverage/report.js';
import { countWholeRun } from '../../reports/coverage/whole-run.js';
import { printableLine } from '../../domain/printable.js';
import { verdictOf } from '../../scenario/runtime/judge-step.js';
import { SandboxError } from '../../client/sandbox-error.js';
import { connect } from '../client.js';
import { mayColour } from '../colour.js';
import { requireFormats, writeReports } from '../exec-reports.js';
import type { ExecReports, ExecResults } from '../exec-reports.js';
import { CliFailure, QuietExit } from '../failure.js';
import { newCommand } from '../new-command.js';
import { closeSandbox, openLog, openSandbox, readConfig } from '../open-sandbox.js';
import { startFlags, withStartFlags } from '../start-flags.js';
import { environmentFor, keyFor, SignalRelay } from '../user-command.js';
import { verdictLines, verdictSummary } from '../verdict-lines.js';

const HELP = `
The command finds the sandbox in MESSAGING_BASE_URL and MESSAGING_API_KEY (for the application), SANDBOX_URL and
SANDBOX_KEY (for the client commands), and the secret of each endpoint that the scenario gives under an alias in
MESSAGING_WEBHOOK_SECRET_<ALIAS>. Signals are passed to it, its exit code is passed on (128 + n for signal n); when it
succeeds and the scenario's verdict is "failed", the exit code is 1. 127: there is no such command; 126: it may not be run.
Without --port or SANDBOX_PORT a free port is taken. Coverage counts every key and what a reset dropped; the verdict is
that of MESSAGING_API_KEY. A Markdown summary is added to the file in GITHUB_STEP_SUMMARY where that is set.

Examples:
  messaging-sandbox exec -- npm test
  messaging-sandbox exec --scenario otp-trouble --verdict verdict.xml --coverage coverage.md -- pytest -q`;

/** `exec`: runs a sandbox for the duration of one command. @param userCommand the arguments after `--` */
export function define(userCommand: readonly string[]): Command {
  return (
    withStartFlags(newCommand('exec', 'Start the sandbox, run a command beside it, stop it, report.'))
      .usage('[options] -- CMD…')
      .option('--coverage <FILE>', 'write what of the contract was exercised: .json, .md or .xml (JUnit)')
      .option('--verdict <FILE>', "write the scenario's verdict: .json, .md or .xml (JUnit)")
      .addHelpText('after', HELP)
      .allowExcessArguments(true)
      // Flags of a command that lacks its "--" are not ours: what is missing is said, not that we do not know them.
      .passThroughOptions()
      .action(async (_flags: unknown, command: Command) => {
        requireCommand(command.args, userCommand);
        const files = command.opts<ExecReports>();
        requireFormats(files);
        const config = readConfig(onFreePort({ flags: startFlags(command), env: process.env }));
        const exitCode = await exec(config, userCommand, files);
        if (exitCode !== 0) throw new QuietExit(exitCode);
      })
  );
}

function requireCommand(stray: readonly string[], userCommand: readonly string[]): void {
  const [first] = stray;
  if (first !== undefined) {
    throw new CliFailure(2, `exec: "${first}" stands before "--". Write exec [options] -- ${stray.join(' ')}.`);
  }
  if (userCommand.length === 0) throw new CliFailure(2, 'exec: no command is given. Write exec [options] -- npm test.');
}

/** PORT by itself is the application's own, as a rule: taking it would be the first thing to fail. */
function onFreePort({ flags = {}, env = {} }: ConfigInput): ConfigInput {
  const wanted = flags['port'] ?? (env['SANDBOX_PORT']?.trim() || '0');
  return { flags: { ...flags, port: wanted }, env };
}

/** @returns the exit code of the command, or 1 when only the verdict failed */
async function exec(config: Config, userCommand: readonly string[], files: ExecReports): Promise<number> {
  const relay = new SignalRelay();
  const log = openLog(config);
  for (const warning of unknownVariables(process.env)) log.warn(warning);
  const sandbox = await openSandbox(config, log);
  try {
    const coverage = countWholeRun(sandbox.accounts, documentsOf(config.dialect).api);
    const variables = environmentFor(sandbox, config);
    log.info('sandbox ready', { url: variables['MESSAGING_BASE_URL'] });
    const { exitCode } = await relay.run(userCommand, variables, 'inherit');
    await settle(variables, log);
    const results = { coverage: coverage(), verdict: verdictOf(sandbox.accounts.of(keyFor(config))) };
    tell(results);
    try {
      writeReports(files, results);
    } catch (error) {
      // The command's own failure is the one to tell of; a report that is missing beside it is only logged.
      if (exitCode === 0 || !(error instanceof CliFailure)) throw error;
      log.error(error.message);
    }
    return exitCode === 0 && results.verdict?.passed === false ? 1 : exitCode;
  } finally {
    await closeSandbox(sandbox, log);
    relay.release();
  }
}

/** What the command caused last may still be on its way to a receiver; it belongs to the verdict. */
async function settle(
  { SANDBOX_URL: url = '', SANDBOX_KEY: key = '', ...rest }: Record<string, string>,
  log: Log,
): Promise<void> {
  const controlToken = rest['SANDBOX_CONTROL_TOKEN'];
  const client = connect({ url, key, ...(controlToken !== undefined && { controlToken }) });
  try {
    await client.call('POST', '/_sandbox/idle?timeout=10s');
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    log.warn(`deliveries were still in progress at the end: ${error.message}`);
  }
}

/** On stderr, because stdout is the command's. */
function tell({ coverage, verdict }: ExecResults): void {
  const lines = [
    `messaging-sandbox: ${percent(coverage)} % of the contract was exercised (${coverage.covered} of ${coverage.total})`,
  ];
  if (verdict !== null) {
    lines.push(printableLine(`messaging-sandbox: scenario ${verdict.scenario} ${verdictSummary(verdict)}`));
    lines.push(...verdictLines(verdict, mayColour(process.stderr)));
  }
  process.stderr.write(`${lines.join('\n')}\n`);
}
