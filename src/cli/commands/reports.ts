/** Commands that report on a running sandbox. */
import { Option, type Command } from 'commander';
import { withQuery, type Connection } from '../../client/connection.js';
import type { AccountsVerdict, Verdict } from '../../client/types.js';
import { printable } from '../../domain/text.js';
import { groupsOf, percent, type Coverage } from '../../reports/coverage.js';
import { junitOf, linesOf, markdownOf, verdictJson } from '../../reports/verdict-formats.js';
import { connect, withClientFlags, type ClientFlags } from '../client.js';
import { mayColour, newCommand, print } from '../command.js';
import { QuietExit, UsageError } from '../failure.js';
import { addToSummary, writeReport } from '../report-file.js';
import { readPercent, requireShare } from './exec.js';

/** `coverage`: shows which parts of the API the account has exercised. */
export function coverage(): Command {
  const about = 'report which operations, errors and states a run exercised, and how to exercise the rest';
  const least = 'exit with 1 if less than this share was exercised';
  return withClientFlags(newCommand('coverage', about).option('--fail-under <PERCENT>', least, readPercent)).action(
    async (flags: ClientFlags & { readonly failUnder?: number }) => {
      const found = await connect(flags).call<Coverage>('GET', '/_sandbox/coverage');
      print(flags.json, found, coverageLines(found));
      requireShare(found, flags.failUnder);
    },
  );
}

function coverageLines(coverage: Coverage): string[] {
  const groups = groupsOf(coverage).map(
    (group) => `  ${group.name.padEnd(16)} ${String(percent(group)).padStart(3)} %  ${group.covered} of ${group.total}`,
  );
  const never = coverage.items
    .filter(({ hits }) => hits === 0)
    .map(({ group, name, hint }) => `  ${group}: ${name}\n      ${hint}`);
  const { covered, total } = coverage;
  return [
    `${percent(coverage)} % of the API was exercised (${covered} of ${total}):`,
    ...groups,
    ...(never.length === 0 ? [] : ['', 'Never exercised:', ...never]),
  ];
}

interface VerdictFlags extends ClientFlags {
  readonly accounts?: string;
  readonly junit?: string;
}

const HELP = `
Judges every account that ran a scenario, or with --key or MESSAGING_API_KEY the account of that key. A Markdown summary is added
to the file in GITHUB_STEP_SUMMARY where that is set.
Exit code 0 if all passed, 1 if a check failed: the application made no call or no scenario is active.

Examples:
  messaging-sandbox verdict --junit verdict.xml
  messaging-sandbox verdict --accounts 'worker-*' --json`;

/** `verdict`: evaluates the active scenarios of a running sandbox. */
export function verdict(): Command {
  const command = newCommand('verdict', 'print whether the application did what the scenario expects')
    .option('--accounts <WHICH>', 'all, a prefix such as worker-*, or own')
    .addOption(new Option('--junit [FILE]', 'write JUnit XML; without FILE, or with -, to stdout').preset('-'))
    .addHelpText('after', HELP);
  return withClientFlags(command).action(async ({ accounts, junit, ...flags }: VerdictFlags) => {
    const which = chosen(accounts, flags.key ?? process.env['MESSAGING_API_KEY']);
    if (flags.json === true && junit === '-') {
      throw new UsageError('verdict: two reports write to stdout. Give --junit a file, or omit one of them.');
    }
    const client = connect(flags);
    const found = await judged(client, which);
    if (junit === '-') process.stdout.write(printable(junitOf(found, client.url)));
    else if (junit !== undefined) writeReport(junit, junitOf(found, client.url));
    addToSummary(markdownOf(found, client.url));
    const lines = linesOf(found, mayColour(process.stdout), client.url);
    if (junit !== '-') print(flags.json, verdictJson(found), lines);
    if (!found.passed) throw new QuietExit(1);
  });
}

/** @throws CliFailure (2) */
function chosen(accounts: string | undefined, key: string | undefined): string {
  const which = accounts ?? (key ? 'own' : 'all');
  if (which === 'all' || which === 'own' || /^[^*]+\*$/.test(which)) return which;
  throw new UsageError(
    `Invalid value "${which}" for --accounts. Expected all, own, or the beginning of keys with a *, such as worker-*.`,
  );
}

async function judged(client: Connection, accounts: string): Promise<AccountsVerdict> {
  if (accounts !== 'own') return client.call('GET', withQuery('/_sandbox/verdict', { accounts }));
  const verdict = await client.call<Verdict>('GET', '/_sandbox/verdict');
  return { passed: verdict.passed, accounts: [{ account: client.key, ...verdict }] };
}
