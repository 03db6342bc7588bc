/** Commands that report on a running sandbox. */
import { Option, type Command } from 'commander';
import type { AccountsVerdict, Verdict } from '../../client/types.js';
import { withQuery, type Connection } from '../../client/connection.js';
import { printable } from '../../domain/printable.js';
import { coverageJunit, coverageMarkdown, percent, type Coverage } from '../../reports/coverage/report.js';
import { connect, withClientFlags, type ClientFlags } from '../client.js';
import { mayColour, newCommand, print } from '../command.js';
import { exercised, requireShare, withCoverageChoice, type CoverageFlags } from '../coverage-choice.js';
import { QuietExit, UsageError } from '../failure.js';
import { addToSummary, asJson, writeReport } from '../report-file.js';
import { junitOf, linesOf, markdownOf, verdictJson } from '../verdict-report.js';

/** The text of a coverage, by the value of `--format`. */
const COVERAGE_FORMATS = { json: asJson, markdown: coverageMarkdown, junit: coverageJunit } as const;

interface ReportFlags extends ClientFlags, CoverageFlags {
  readonly format?: keyof typeof COVERAGE_FORMATS;
}

/** `coverage`: shows which parts of the API the account has exercised. */
export function coverage(): Command {
  const formats = Object.keys(COVERAGE_FORMATS);
  const command = newCommand(
    'coverage',
    'Report which operations, errors and states a run exercised, and how to exercise the rest.',
  ).addOption(new Option('--format <FORMAT>', 'output format (default: text)').choices(formats));
  return withClientFlags(withCoverageChoice(command)).action(async (flags: ReportFlags) => {
    const { include, ignore } = flags;
    const query = { include: include?.join(','), ignore: ignore?.join(',') };
    const found = await connect(flags).call<Coverage>('GET', withQuery('/_sandbox/coverage', query));
    const format = flags.json === true ? 'json' : flags.format;
    process.stdout.write(printable(format === undefined ? coverageText(found) : COVERAGE_FORMATS[format](found)));
    requireShare(found, flags);
  });
}

function coverageText(coverage: Coverage): string {
  const groups = [...new Set(coverage.items.map(({ group }) => group))];
  const perGroup = groups.map((group) => {
    const own = coverage.items.filter((item) => item.group === group);
    const covered = own.filter(({ hits }) => hits > 0).length;
    const share = percent({ total: own.length, covered });
    return `  ${group.padEnd(16)} ${String(share).padStart(3)} %  ${covered} of ${own.length}`;
  });
  const missing = coverage.items.filter(({ hits }) => hits === 0);
  const never = missing.map(({ group, name, hint }) => `  ${group}: ${name}\n      ${hint}`);
  const rest = never.length === 0 ? [] : ['', 'Never exercised:', ...never];
  return `${[`${exercised(coverage)}:`, ...perGroup, ...rest].join('\n')}\n`;
}

interface VerdictFlags extends ClientFlags {
  readonly accounts?: string;
  readonly junit?: string;
  readonly markdown?: string;
}

const HELP = `
Judges every account that ran a scenario, or with --key or SANDBOX_KEY the account of that key. A Markdown summary is added
to the file in GITHUB_STEP_SUMMARY where that is set.
Exit code 0 if all passed, 1 if a check failed: the application made no call or no scenario is active.

Examples:
  messaging-sandbox verdict --junit verdict.xml
  messaging-sandbox verdict --accounts 'worker-*' --markdown verdict.md`;

/** `verdict`: evaluates the active scenarios of a running sandbox. */
export function verdict(): Command {
  const command = newCommand('verdict', 'Print whether the application did what the scenario expects.')
    .option('--accounts <WHICH>', 'all, a prefix such as worker-*, or own')
    .addOption(new Option('--junit [FILE]', 'write JUnit XML; without FILE, or with -, to stdout').preset('-'))
    .addOption(new Option('--markdown [FILE]', 'write Markdown; without FILE, or with -, to stdout').preset('-'))
    .addHelpText('after', HELP);
  return withClientFlags(command).action(async (flags: VerdictFlags) => {
    const accounts = chosen(flags);
    requireOneOnStdout(flags);
    const client = connect(flags);
    const found = await judged(client, accounts);
    const reports = [
      { file: flags.junit, text: junitOf },
      { file: flags.markdown, text: markdownOf },
    ];
    for (const { file, text } of reports) {
      if (file === '-') process.stdout.write(printable(text(found, client.url)));
      else if (file !== undefined) writeReport(file, text(found, client.url));
    }
    addToSummary(markdownOf(found, client.url));
    const lines = linesOf(found, mayColour(process.stdout), client.url);
    if (!reports.some(({ file }) => file === '-')) print(flags.json, verdictJson(found), lines);
    if (!found.passed) throw new QuietExit(1);
  });
}

/** @throws CliFailure (2) */
function chosen({ accounts, key }: VerdictFlags): string {
  const ownKey = key !== undefined || Boolean(process.env['SANDBOX_KEY']);
  const which = accounts ?? (ownKey ? 'own' : 'all');
  if (which === 'all' || which === 'own' || /^[^*]+\*$/.test(which)) return which;
  throw new UsageError(
    `Invalid value "${which}" for --accounts. Expected all, own, or the beginning of keys with a *, such as worker-*.`,
  );
}

function requireOneOnStdout({ json, junit, markdown }: VerdictFlags): void {
  if ([json === true, junit === '-', markdown === '-'].filter(Boolean).length < 2) return;
  throw new UsageError('verdict: two reports write to stdout. Give --junit or --markdown a file, or omit one of them.');
}

async function judged(client: Connection, accounts: string): Promise<AccountsVerdict> {
  if (accounts !== 'own') return client.call('GET', withQuery('/_sandbox/verdict', { accounts }));
  const verdict = await client.call<Verdict>('GET', '/_sandbox/verdict');
  return { passed: verdict.passed, accounts: [{ account: client.key, ...verdict }] };
}
