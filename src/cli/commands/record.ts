import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { printable } from '../../domain/printable.js';
import { withQuery } from '../../client/connection.js';
import { connect, withClientFlags, type ClientFlags } from '../client.js';
import { UsageError } from '../failure.js';
import { newCommand, print } from '../command.js';
import { writeReport } from '../report-file.js';

interface Flags extends ClientFlags {
  readonly from?: number;
  readonly to?: number;
  readonly scenario?: string;
  readonly test?: keyof typeof TEST_FILES;
  readonly testFile?: string;
  readonly har?: string;
  readonly http?: string;
}

/** The file names that the test runner of each language looks for. */
const TEST_FILES = { vitest: 'recorded.test.ts', pytest: 'test_recorded.py', go: 'recorded_test.go' } as const;

const HELP = `
Without a file, the scenario is printed. Its timeline is what customers, the channel and the platform owner did by
command, its rules are those that applied, and it expects what the application did. Play it with "scenario run".

Examples:
  messaging-sandbox record --scenario scenarios/checkout.yaml
  messaging-sandbox record --from 120 --scenario checkout.yaml --test pytest`;

/** `record`: writes the history of the account as a scenario, a test, an archive or a file of requests. */
export function define(): Command {
  const command = newCommand('record', 'Write the history of the account as a scenario, a test or an archive.')
    .option('--from <SEQ>', 'seq of the first record (default: the activation of the scenario, or the start)', readSeq)
    .option('--to <SEQ>', 'seq of the last record (default: now)', readSeq)
    .option('--scenario <FILE>', 'file for the scenario')
    .addOption(new Option('--test <LANGUAGE>', 'write a test, next to the scenario').choices(Object.keys(TEST_FILES)))
    .option('--test-file <FILE>', `file for the test (default: ${Object.values(TEST_FILES).join(', ')})`)
    .option('--har <FILE>', 'file for an HTTP Archive 1.2 of all calls and webhook requests')
    .option('--http <FILE>', 'file for requests that an editor can send')
    .addHelpText('after', HELP);
  return withClientFlags(command).action(async (flags: Flags) => {
    const outputs = outputsOf(flags);
    const client = connect(flags);
    const load = (format: string) =>
      client.call<string | object>('GET', withQuery('/_sandbox/record', { format, from: flags.from, to: flags.to }));
    if (outputs.length === 0) {
      process.stdout.write(printable(textOf(await load('scenario'))));
      return;
    }
    // Everything is read before anything is written: a rejected range leaves no files.
    const texts = await Promise.all(outputs.map(async ({ format }) => textOf(await load(format))));
    outputs.forEach(({ file }, index) => {
      writeReport(file, texts[index] ?? '');
    });
    const hint = flags.test === undefined ? [] : ['Fill in the function of the test that runs your application.'];
    print(flags.json, { key: client.key, files: outputs }, [...outputs.map(({ file }) => `${file} written`), ...hint]);
  });
}

interface Output {
  readonly format: string;
  readonly file: string;
}

/** @throws CliFailure (2) if the test already exists, because it may have been edited */
function outputsOf({ scenario, test, testFile, har, http }: Flags): Output[] {
  if (testFile !== undefined && test === undefined) {
    throw new UsageError('record: --test-file needs --test. Add --test vitest, --test pytest or --test go.');
  }
  const place = test && (testFile ?? join(dirname(scenario ?? '.'), TEST_FILES[test]));
  if (place !== undefined && existsSync(place)) {
    throw new UsageError(`record: ${place} exists. Delete it, or name another file with --test-file.`);
  }
  const wanted = { scenario, ...(test && { [test]: place }), har, http };
  return Object.entries(wanted).flatMap(([format, file]) => (file === undefined ? [] : [{ format, file }]));
}

function textOf(answer: string | object): string {
  return typeof answer === 'string' ? answer : `${JSON.stringify(answer, null, 2)}\n`;
}

function readSeq(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a seq, a whole number from 1, as lists and the live stream show it.');
}
