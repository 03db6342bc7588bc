import { Option } from 'commander';
import type { Command } from 'commander';
import type { AccountsVerdict, Verdict } from '../../client/types.js';
import { withQuery, type Connection } from '../../client/connection.js';
import { printable } from '../../domain/printable.js';
import { connect, withClientFlags, type ClientFlags } from '../client.js';
import { mayColour, print } from '../print.js';
import { addToSummary, writeReport } from '../report-file.js';
import { CliFailure, QuietExit } from '../failure.js';
import { newCommand } from '../new-command.js';
import { junitOf, linesOf, markdownOf, verdictJson } from '../verdict-report.js';

interface Flags extends ClientFlags {
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
export function define(): Command {
  const command = newCommand('verdict', 'Print whether the application did what the scenario expects.')
    .option('--accounts <WHICH>', 'all, a prefix such as worker-*, or own')
    .addOption(new Option('--junit [FILE]', 'write JUnit XML; without FILE, or with -, to stdout').preset('-'))
    .addOption(new Option('--markdown [FILE]', 'write Markdown; without FILE, or with -, to stdout').preset('-'))
    .addHelpText('after', HELP);
  return withClientFlags(command).action(async (flags: Flags) => {
    const accounts = chosen(flags);
    requireOneOnStdout(flags);
    const client = connect(flags);
    const verdict = await judged(client, accounts);
    const reports = [
      { file: flags.junit, text: junitOf },
      { file: flags.markdown, text: markdownOf },
    ];
    for (const { file, text } of reports) {
      if (file === '-') process.stdout.write(printable(text(verdict, client.url)));
      else if (file !== undefined) writeReport(file, text(verdict, client.url));
    }
    addToSummary(markdownOf(verdict, client.url));
    const lines = linesOf(verdict, mayColour(process.stdout), client.url);
    if (!reports.some(({ file }) => file === '-')) print(flags.json, verdictJson(verdict), lines);
    if (!verdict.passed) throw new QuietExit(1);
  });
}

/** @throws CliFailure (2) */
function chosen({ accounts, key }: Flags): string {
  const ownKey = key !== undefined || Boolean(process.env['SANDBOX_KEY']);
  const which = accounts ?? (ownKey ? 'own' : 'all');
  if (which === 'all' || which === 'own' || /^[^*]+\*$/.test(which)) return which;
  throw new CliFailure(
    2,
    `Invalid value "${which}" for --accounts. Expected all, own, or the beginning of keys with a *, such as worker-*.`,
  );
}

function requireOneOnStdout({ json, junit, markdown }: Flags): void {
  if ([json === true, junit === '-', markdown === '-'].filter(Boolean).length < 2) return;
  throw new CliFailure(
    2,
    'verdict: two reports write to stdout. Give --junit or --markdown a file, or omit one of them.',
  );
}

async function judged(client: Connection, accounts: string): Promise<AccountsVerdict> {
  if (accounts !== 'own') return client.call('GET', withQuery('/_sandbox/verdict', { accounts }));
  const verdict = await client.call<Verdict>('GET', '/_sandbox/verdict');
  return { passed: verdict.passed, accounts: [{ account: client.key, ...verdict }] };
}
