import { InvalidArgumentError, type Command } from 'commander';
import { printable } from '../../domain/text.js';
import { withQuery } from '../../client/connection.js';
import { connect, withClientFlags, type ClientFlags } from '../client.js';
import { newCommand, print } from '../command.js';
import { asJson, writeReport } from '../report-file.js';

interface Flags extends ClientFlags {
  readonly from?: number;
  readonly to?: number;
  readonly scenario?: string;
  readonly har?: string;
}

const HELP = `
Without a file, the scenario is printed. Its timeline is what customers, the channel and the platform owner did by
command, its rules are those that applied, and it expects what the application did. Play it with "scenario run".

Examples:
  messaging-sandbox record --scenario scenarios/checkout.yaml
  messaging-sandbox record --from 120 --har checkout.har`;

/** `record`: writes the history of the account as a scenario or an archive. */
export function define(): Command {
  const command = newCommand('record', 'write the history of the account as a scenario or an archive')
    .option('--from <SEQ>', 'seq of the first record (default: the activation of the scenario, or the start)', readSeq)
    .option('--to <SEQ>', 'seq of the last record (default: now)', readSeq)
    .option('--scenario <FILE>', 'file for the scenario')
    .option('--har <FILE>', 'file for an HTTP Archive 1.2 of all calls and webhook requests')
    .addHelpText('after', HELP);
  return withClientFlags(command).action(async ({ scenario, har, from, to, ...flags }: Flags) => {
    const client = connect(flags);
    const load = async (format: 'scenario' | 'har') => {
      const found = await client.call<string | object>('GET', withQuery('/_sandbox/record', { format, from, to }));
      return typeof found === 'string' ? found : asJson(found);
    };
    const files = Object.entries({ scenario, har }).flatMap(([format, file]) =>
      file === undefined ? [] : [{ format: format as 'scenario' | 'har', file }],
    );
    if (files.length === 0) return void process.stdout.write(printable(await load('scenario')));
    // Everything is read before anything is written: a rejected range leaves no files.
    const texts = await Promise.all(files.map(({ format }) => load(format)));
    for (const [i, { file }] of files.entries()) writeReport(file, texts[i] ?? '');
    const lines = files.map(({ file }) => `${file} written`);
    print(flags.json, { key: client.key, files }, lines);
  });
}

function readSeq(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a seq, a whole number from 1, as lists and the live stream show it.');
}
