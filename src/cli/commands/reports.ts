import type { Command } from 'commander';
import { sandboxAccount } from '../../client/account.js';
import { type Connection, withQuery } from '../../client/connection.js';
import type { AccountsVerdict } from '../../client/types.js';
import { readWhole } from '../../config/values.js';
import { printable } from '../../domain/text.js';
import { groupsOf, percent, type Coverage } from '../../reports/coverage.js';
import { junitOf, linesOf, markdownOf, verdictJson } from '../../reports/verdict-formats.js';
import { clientCommand, connect, withClientFlags, type ClientFlags } from '../client.js';
import { print, valueOption } from '../command.js';
import { mayColour } from '../../log.js';
import { QuietExit } from '../../failure.js';
import { addToSummary, junitOption, requireOneReport, writeJunit, writeReport } from '../report-file.js';

export function coverage(command: Command): void {
  clientCommand(command, async (client) => {
    const found = await client.call<Coverage>('GET', '/_sandbox/coverage');
    return [found, coverageLines(found)];
  });
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
  readonly junit?: string;
}

const VERDICT_HELP = `
The verdict covers every account that had a scenario, even accounts that were deleted. With --key qa, it covers the account "qa" and
accounts such as "qa.login". If GITHUB_STEP_SUMMARY is set, verdict adds a Markdown summary to that file.
Exit code: 0 if everything passed; 1 if a check failed, no account took part, or no scenario was active.

Example:
  messaging-sandbox verdict --junit verdict.xml`;

export function verdict(command: Command): void {
  command.addOption(junitOption()).addHelpText('after', VERDICT_HELP);
  withClientFlags(command).action(async (flags: VerdictFlags) => {
    requireOneReport('verdict', flags);
    const { junit } = flags;
    const client = connect(flags);
    const found = await (flags.key !== undefined
      ? ownVerdict(client)
      : client.call<AccountsVerdict>('GET', '/_sandbox/verdict?accounts=all'));
    writeJunit(junit, junitOf(found, client.url));
    addToSummary(markdownOf(found, client.url));
    const lines = linesOf(found, mayColour(process.stdout), client.url);
    if (junit !== '-') print(flags.json, verdictJson(found), lines);
    if (!found.passed) throw new QuietExit(1);
  });
}

/** Tests have accounts whose keys begin with the key and a dot. */
async function ownVerdict(client: Connection): Promise<AccountsVerdict> {
  const { key } = client;
  const found = await client.call<AccountsVerdict>('GET', withQuery('/_sandbox/verdict', { accounts: `${key}*` }));
  const accounts = found.accounts.filter(({ account }) => account === key || account.startsWith(`${key}.`));
  if (accounts.length === 0)
    return found.accounts.length === 0 ? found : { passed: false, reason: 'no_part', accounts };
  return { ...found, accounts, passed: accounts.every(({ passed }) => passed) };
}

interface RecordFlags extends ClientFlags {
  readonly from?: number;
  readonly to?: number;
  readonly scenario?: string;
  readonly har?: string;
}

const RECORD_HELP = `
Without --scenario and --har, record prints the scenario. Its timeline repeats the actions of customers, the channel and the platform
owner. Its rules are the rules that applied. Its checks expect the reaction of your application. Run it with "scenario run".

Examples:
  messaging-sandbox record --scenario scenarios/checkout.yaml
  messaging-sandbox record --from 120 --har checkout.har`;

const readSeq = readWhole(1, 999_999_999, ', the seq of a record');

export function record(command: Command): void {
  command
    .addOption(
      valueOption('--from <SEQ>', 'seq of the first record (default: since the activation of the scenario)', readSeq),
    )
    .addOption(valueOption('--to <SEQ>', 'seq of the last record (default: now)', readSeq))
    .option('--scenario <FILE>', 'file for the scenario')
    .option('--har <FILE>', 'file for an HTTP Archive 1.2 of all calls and webhook requests')
    .addHelpText('after', RECORD_HELP);
  withClientFlags(command).action(async ({ scenario, har, from, to, ...flags }: RecordFlags) => {
    const account = sandboxAccount(connect(flags));
    const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    if (scenario === undefined && har === undefined)
      return void process.stdout.write(printable(await account.record(range)));
    const formats = Object.entries({ scenario, har }) as ['scenario' | 'har', string | undefined][];
    const files = formats.flatMap(([format, file]) => (file === undefined ? [] : [{ format, file }]));
    // Everything is read before anything is written: a rejected range leaves no files.
    const texts = await Promise.all(files.map(({ format }) => account.record({ ...range, format })));
    for (const [i, { file }] of files.entries()) writeReport(file, texts[i]?.replace(/\n?$/, '\n') ?? '');
    print(
      flags.json,
      { key: account.apiKey, files },
      files.map(({ file }) => `${file} written`),
    );
  });
}
