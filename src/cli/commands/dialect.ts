import { accessSync, constants, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Command } from 'commander';
import { readDialect } from '../../config/options.js';
import { ValueError } from '../../config/values.js';
import { DialectError, dialectSchema, differencesOf } from '../../dialect/index.js';
import { counted } from '../../domain/text.js';
import { type Capture, CaptureError, readCapture } from '../../parity/capture.js';
import type { Finding } from '../../parity/lesson.js';
import { compareWith, learnFrom, wronglySigned } from '../../parity/run.js';
import { prepared, print } from '../command.js';
import { CliFailure, UsageError } from '../../failure.js';

interface Flags {
  readonly json?: boolean;
  readonly dialect?: string;
  readonly output?: string;
  readonly secret?: string;
}

const CAPTURES = `
A capture contains calls, webhooks, or both:
  calls     an HTTP Archive (of a browser, mitmproxy, Charles, Postman or "exec --journal"), or lines of {"request", "response"}
  webhooks  a file with the headers and the body of one request, or lines of {"headers", "body"}
The base URL of the calls does not matter.`;

export function dialect(command: Command): void {
  const sub = (name: string, about: string) => {
    const made = prepared(new Command(name)).description(about).option('--json', 'print the result as JSON');
    command.addCommand(made);
    return made;
  };
  sub('learn', 'write a dialect file from recorded traffic of the real service')
    .argument('<capture...>', 'files with recorded traffic')
    .option('-o, --output <FILE>', 'file to write', 'dialect.yaml')
    .option('--secret <SECRET>', 'signing secret of the webhooks, to verify their signatures')
    .addHelpText(
      'after',
      `${CAPTURES}\n\nExit code: 0 if every point was learnt, 1 if no setting can express a difference, 2 if the capture cannot be read.`,
    )
    .action(learn);
  sub('compare', 'repeat recorded calls with a new sandbox, and list the differences')
    .argument('<capture...>', 'files with recorded traffic')
    .option('--dialect <FILE>', 'dialect of the sandbox; default: none')
    .option('--secret <SECRET>', 'signing secret of the webhooks, to verify their signatures')
    .addHelpText(
      'after',
      `${CAPTURES}\n\nExit code: 0 if nothing differs, 1 if something differs, 2 if the capture or the dialect cannot be read.`,
    )
    .action(compare);
  sub('check', 'check a dialect file')
    .argument('<file>', 'dialect file')
    .addHelpText(
      'after',
      '\nThe command lists each error with its place. Exit code: 0 if the file is valid, 2 if it has errors.',
    )
    .action(check);
  command.addCommand(
    prepared(new Command('schema'))
      .description('print the JSON Schema (draft-07) of dialect files, for editors')
      .action(() => void process.stdout.write(`${JSON.stringify(dialectSchema(), null, 2)}\n`)),
  );
}

function capture(files: readonly string[], secret: string | undefined): Capture {
  let read: Capture;
  try {
    read = readCapture(files.map((file) => ({ name: basename(file), bytes: bytesOf(file) })));
  } catch (error) {
    throw error instanceof CaptureError ? new UsageError(`dialect: ${error.message}`) : error;
  }
  if (read.calls.length === 0 && read.events.length === 0)
    throw new UsageError(
      `dialect: the capture has no call of the API and no webhook. Calls end in a path such as /v1/messages; webhooks have the header X-Service-Signature.${unreadable(read)}`,
    );
  const wrong = secret === undefined ? [] : wronglySigned(read, secret);
  if (wrong.length > 0)
    throw new CliFailure(
      1,
      `dialect: ${counted(wrong.length, 'webhook')} not signed with --secret: ${wrong.slice(0, 5).join(', ')}. Check the secret, and that bodies were recorded byte for byte.`,
    );
  return read;
}

function unreadable({ skipped }: Capture): string {
  const lines = skipped.slice(0, 5).map(({ place, why }) => `\n${place}: ${why}`);
  return lines.length === 0 ? '' : ` Not readable: ${counted(skipped.length, 'entry')}:${lines.join('')}`;
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new UsageError(`dialect: cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
}

/** Before the work, which would be lost. */
function mustBeWritable(file: string): void {
  const fail = (why: string): never => {
    throw new UsageError(`dialect learn: cannot write ${JSON.stringify(file)}: ${why}. Name a file for --output.`);
  };
  const found = statSync(file, { throwIfNoEntry: false });
  if (file === '' || found?.isDirectory() === true) fail(file === '' ? 'it is empty' : 'it is a folder');
  const folder = dirname(file);
  if (!found && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    fail(`there is no folder ${folder}`);
  try {
    accessSync(found ? file : folder, constants.W_OK);
  } catch (error) {
    fail((error as Error).message);
  }
}

async function learn(files: readonly string[], { json, output = 'dialect.yaml', secret }: Flags): Promise<void> {
  mustBeWritable(output);
  const read = capture(files, secret);
  const learnt = await learnFrom(read);
  const findings = [...learnt.findings, ...read.skipped.map(unplayed)];
  try {
    writeFileSync(output, learnt.text);
  } catch (cause) {
    throw new UsageError(`dialect learn: cannot write ${output}: ${(cause as Error).message}`, { cause });
  }
  const words = findings.map(lineOf);
  print(json, { file: output, findings }, [
    ...words,
    '',
    `Written to ${output}. Compare: messaging-sandbox dialect compare CAPTURE… --dialect ${output}`,
  ]);
  const left = findings.filter(({ result }) => result === 'differs');
  if (left.length > 0)
    throw new CliFailure(
      1,
      `dialect learn: no setting can express ${counted(left.length, 'point')}: ${left.map(({ setting }) => setting).join(', ')}.`,
    );
}

const unplayed = ({ place, why }: Capture['skipped'][number]): Finding => ({
  ...{ section: '', setting: '', result: 'not in the capture', evidence: [place], about: why },
});

function lineOf({ section, setting, result, evidence, about }: Finding): string {
  const where = evidence.length === 0 ? '' : ` (${evidence.join(', ')})`;
  const point = setting === '' ? 'not played' : `§${section.padEnd(5)} ${setting.padEnd(28)} ${result}`;
  return `${point}${where}${about === undefined ? '' : `: ${about}`}`;
}

async function compare(files: readonly string[], { json, dialect: file, secret }: Flags): Promise<void> {
  if (file !== undefined) validDialect(file);
  const read = capture(files, secret);
  const { compared, differences, skipped: unplayable } = await compareWith(read, file);
  const skipped = [...unplayable, ...read.skipped];
  const lines = differences.map(
    ({ place, what, at, theirs, ours }) => `${place} ${what}: ${at}: service ${theirs}, sandbox ${ours}`,
  );
  const left = skipped.map(({ place, why }) => `${place} not played: ${why}`);
  const sum = `${counted(compared, 'response')} and webhooks compared, ${counted(differences.length, 'difference')}.`;
  print(json, { compared, differences, skipped }, [...lines, ...left, sum]);
  if (differences.length > 0) throw new CliFailure(1, `dialect compare: ${counted(differences.length, 'difference')}.`);
}

function validDialect(file: string) {
  try {
    return readDialect(file);
  } catch (error) {
    if (error instanceof DialectError) throw new UsageError(error.message);
    if (error instanceof ValueError)
      throw new UsageError(
        `dialect: cannot read ${JSON.stringify(file)}: ${error.reason ?? error.message}. Expected ${error.expected}.`,
      );
    throw new UsageError(`dialect: ${(error as Error).message}`, { cause: error });
  }
}

function check(file: string, { json }: Flags): void {
  const differs = differencesOf(validDialect(file));
  print(json, { valid: true, differs }, [
    `${file} is valid. It sets ${differs.length === 0 ? 'nothing' : differs.join(', ')}.`,
  ]);
}
