import type { Command } from 'commander';
import type { Account } from '../../account/account.js';
import { SandboxError } from '../../client/sandbox-error.js';
import { unknownVariables, type Config, type ConfigInput } from '../../config/index.js';
import { ValueError } from '../../config/values.js';
import { documentsOf } from '../../documents.js';
import { printableLine } from '../../domain/text.js';
import type { Log } from '../../log.js';
import { harEntries, harOf } from '../../record/har.js';
import { coverageJunit, coverageMarkdown, coverageOf, hitsOf, percent, type Coverage } from '../../reports/coverage.js';
import { postMortem, traceOf } from '../../reports/post-mortem.js';
import { junitOf, linesOf, markdownOf, verdictJson } from '../../reports/verdict-formats.js';
import type { Sandbox } from '../../sandbox.js';
import { scenarioSubject } from '../../scenario/run/run-step.js';
import { isUntouched, judgeAccounts, type AccountsVerdict, type AccountVerdict } from '../../scenario/run/verdict.js';
import { version } from '../../version.js';
import { mayColour, newCommand, valueOption } from '../command.js';
import { CliFailure, QuietExit, UsageError } from '../failure.js';
import { closeSandbox, openLog, openSandbox, readConfig, startFlags, withStartFlags } from '../open-sandbox.js';
import { addToSummary, asJson, reportFormat, writeReport } from '../report-file.js';
import { connectionTo, environmentFor, keyFor, SignalRelay } from '../user-command.js';

interface Flags {
  readonly verdict?: string;
  readonly coverage?: string;
  readonly failUnder?: number;
  readonly journal?: string;
}

const HELP = `
The command finds the sandbox in MESSAGING_BASE_URL and MESSAGING_API_KEY, and the secret of each endpoint with an alias in
MESSAGING_WEBHOOK_SECRET_<ALIAS>. Signals are passed to it, and its exit code is passed on (128 + n for signal n). If it
fails, its last calls and the deliveries that failed are printed. If it succeeds and the scenario's verdict is "failed", the
exit code is 1. 127: the command does not exist; 126: it is not executable.
Without --port or SANDBOX_PORT, a free port is used. All reports include accounts that the command deleted. The verdict is
added to the file in GITHUB_STEP_SUMMARY where that is set.
The clock is that of --clock: to play the timeline of a scenario to its end, use "scenario run".

Examples:
  messaging-sandbox exec -- npm test
  messaging-sandbox exec --scenario otp-trouble --verdict verdict.xml --journal calls.har -- pytest -q`;

/** `exec`: runs a sandbox for the duration of one command. @param userCommand the arguments after `--` */
export function define(userCommand: readonly string[]): Command {
  return (
    withStartFlags(newCommand('exec', 'start the sandbox, run a command, stop it, report'))
      .usage('[options] -- CMD…')
      .option('--verdict <FILE>', "file for the scenario's verdict: .json, .md or .xml (JUnit)")
      .option('--coverage <FILE>', 'file for the coverage of the API: .json, .md or .xml (JUnit)')
      .addOption(
        valueOption(
          '--fail-under <PERCENT>',
          'exit with 1 if less than this share of the API was exercised',
          readPercent,
        ),
      )
      .option('--journal <FILE>', 'file for all calls and webhook requests, as an HTTP Archive')
      .addHelpText('after', HELP)
      .allowExcessArguments(true)
      // If a command lacks its "--", its flags are not ours: the message names the missing "--" instead of an unknown
      // flag.
      .passThroughOptions()
      .action(async (_flags: unknown, command: Command) => {
        requireCommand(command.args, userCommand);
        const flags = command.opts<Flags>();
        const config = readConfig(onFreePort({ flags: startFlags(command), env: process.env }));
        requireReports(flags, config);
        const exitCode = await exec(config, userCommand, flags);
        if (exitCode !== 0) throw new QuietExit(exitCode);
      })
  );
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

/** @throws CliFailure (2) for reports that cannot be written, before the command runs */
function requireReports({ verdict, coverage }: Flags, { scenarios, apiKeys }: Config): void {
  if (coverage !== undefined) reportFormat('--coverage', coverage);
  if (verdict !== undefined) reportFormat('--verdict', verdict);
  const hasScenario = scenarios.length > 0 || apiKeys?.some((key) => key.includes('~')) === true;
  if (verdict !== undefined && !hasScenario) {
    throw new UsageError(
      'exec: --verdict needs a scenario to evaluate. Name one with --scenario, such as --scenario otp-trouble, or omit --verdict.',
    );
  }
}

/** PORT usually belongs to the application: if the sandbox used it, the application would fail at once. */
function onFreePort({ flags = {}, env = {} }: ConfigInput): ConfigInput {
  const wanted = flags['port'] ?? (env['SANDBOX_PORT']?.trim() || '0');
  return { flags: { ...flags, port: wanted }, env };
}

/** @returns the exit code of the command, or 1 if only a report says that it failed */
async function exec(config: Config, userCommand: readonly string[], flags: Flags): Promise<number> {
  const relay = new SignalRelay();
  const log = openLog(config);
  for (const warning of unknownVariables(process.env)) log.warn(warning);
  const sandbox = await openSandbox(config, log);
  try {
    const variables = environmentFor(sandbox, config);
    const url = variables['MESSAGING_BASE_URL'] ?? '';
    const wholeRun = collect(sandbox, url, documentsOf(config.dialect).api);
    const judge = watchVerdicts(sandbox, keyFor(config));
    log.info('sandbox ready', { url });
    const exitCode = await relay.run(userCommand, variables, 'inherit');
    await settle(sandbox, variables, log);
    const [{ coverage, archive, traces }, verdict] = [wholeRun(), judge()];
    const kept = flags.journal === undefined ? '; --journal FILE keeps all of them' : ` (all: ${flags.journal})`;
    say([
      ...(verdict === null ? [] : linesOf(verdict, mayColour(process.stderr))),
      ...unplayed(sandbox, [...config.scenarios, '--', ...userCommand]),
      ...(exitCode === 0 ? [] : [`the command ended with ${exitCode}`, ...postMortem(traces, kept)]),
    ]);
    try {
      write(flags, { coverage, archive, verdict });
    } catch (error) {
      // The command's own failure is the one to report; a report that is also missing is only logged.
      if (exitCode === 0 || !(error instanceof CliFailure)) throw error;
      log.error(error.message);
    }
    return exitCode === 0 && verdict?.passed === false ? 1 : exitCode;
  } finally {
    await closeSandbox(sandbox, log);
    relay.release();
  }
}

/**
 * Keeps what is reported of accounts that are reset or deleted: a suite with an account or a reset for each test would
 * otherwise leave almost nothing.
 */
function collect({ accounts }: Sandbox, url: string, document: Parameters<typeof coverageOf>[0]) {
  const read = ({ store }: Account) => ({
    hits: hitsOf(store),
    entries: harEntries(store, url),
    trace: traceOf(store),
  });
  const ended: ReturnType<typeof read>[] = [];
  accounts.onEnd((account) => ended.push(read(account)));
  return () => {
    const all = [...ended, ...[...accounts.all()].map(read)];
    return {
      coverage: coverageOf(
        document,
        all.map(({ hits }) => hits),
      ),
      archive: harOf(
        all.flatMap(({ entries }) => entries),
        version,
      ),
      traces: all.map(({ trace }) => trace),
    };
  };
}

/**
 * Evaluates accounts when they are deleted.
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

/** The command does not wait for the timeline of its scenario, so some of it may not have happened. */
function unplayed({ accounts }: Sandbox, operands: readonly string[]): string[] {
  const left = [...accounts.all()].some(({ store }) =>
    [...store.tables.jobs.list('subject', scenarioSubject)].some(({ kind }) => kind === 'scenario.step'),
  );
  const quoted = operands.map((one) => (/^[\w@%+=:,./-]+$/.test(one) ? one : `'${one.replaceAll("'", `'\\''`)}'`));
  const play = `messaging-sandbox scenario run ${quoted.join(' ')}`;
  return left ? [`the command ended before the timeline of the scenario. To play all of it, use: ${play}`] : [];
}

/** On stderr, because stdout belongs to the command. */
function say(lines: readonly string[]): void {
  for (const line of lines) {
    const prefix = /^\s|^[✓✗]/.test(line) ? '' : 'messaging-sandbox: ';
    process.stderr.write(`${prefix}${prefix === '' ? line : printableLine(line)}\n`);
  }
}

interface Results {
  readonly coverage: Coverage;
  readonly archive: object;
  readonly verdict: AccountsVerdict | null;
}

/** @throws CliFailure (1) if a file cannot be written, or less than required was exercised */
function write(flags: Flags, { coverage, archive, verdict }: Results): void {
  const texts = { json: asJson, markdown: coverageMarkdown, junit: coverageJunit };
  if (flags.coverage !== undefined) {
    writeReport(flags.coverage, texts[reportFormat('--coverage', flags.coverage)](coverage));
  }
  if (flags.journal !== undefined) writeReport(flags.journal, asJson(archive));
  if (verdict !== null) addToSummary(markdownOf(verdict));
  if (flags.verdict !== undefined && verdict !== null) {
    const forms = { json: (each: AccountsVerdict) => asJson(verdictJson(each)), markdown: markdownOf, junit: junitOf };
    writeReport(flags.verdict, forms[reportFormat('--verdict', flags.verdict)](verdict));
  }
  const { failUnder } = flags;
  const { covered, total } = coverage;
  if (failUnder === undefined || covered * 100 >= failUnder * total) return;
  throw new CliFailure(
    1,
    `${percent(coverage)} % of the API was exercised (${covered} of ${total}), less than the ${failUnder} % of --fail-under.`,
  );
}
