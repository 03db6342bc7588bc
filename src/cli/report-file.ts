/** A report has the format of its file's extension. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { Option } from 'commander';
import { ValueError } from '../config/values.js';
import { printable } from '../domain/text.js';
import { CliFailure, UsageError } from '../failure.js';

const FORMATS = { '.json': 'json', '.md': 'markdown', '.xml': 'junit' } as const;

export interface ReportFile {
  readonly path: string;
  readonly format: (typeof FORMATS)[keyof typeof FORMATS];
}

export function readReportFile(path: string): ReportFile {
  const ending = extname(path).toLowerCase();
  if (ending in FORMATS) return { path, format: FORMATS[ending as keyof typeof FORMATS] };
  throw new ValueError(path, 'a file that ends in .json, .md or .xml (JUnit)');
}

export const junitOption = (): Option =>
  new Option('--junit [FILE]', 'write JUnit XML; without FILE, or with -, to stdout').preset('-');

export function requireOneReport(
  command: string,
  { json, junit }: { readonly json?: boolean; readonly junit?: string | undefined },
): void {
  if (json !== true || junit !== '-') return;
  throw new UsageError(
    `${command}: --json and --junit - both write to stdout. Give --junit a file, or omit one of them.`,
  );
}

/** `-` is stdout; without a file, nothing is written. @throws CliFailure (1) */
export function writeJunit(file: string | undefined, xml: string): void {
  if (file === '-') process.stdout.write(printable(xml));
  else if (file !== undefined) writeReport(file, xml);
}

/** Creates missing folders. @throws CliFailure (1) */
export function writeReport(file: string, text: string): void {
  writing(`the report ${file} cannot be written`, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, printable(text));
  });
}

export function asJson(report: object): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** A CI step has a summary for Markdown. @throws CliFailure (1) */
export function addToSummary(markdown: string, env: NodeJS.ProcessEnv = process.env): void {
  const file = env['GITHUB_STEP_SUMMARY'];
  if (!file) return;
  writing(`GITHUB_STEP_SUMMARY: ${file} cannot be appended to`, () => appendFileSync(file, printable(`${markdown}\n`)));
}

function writing(problem: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw new CliFailure(1, `${problem}: ${cause instanceof Error ? cause.message : String(cause)}.`, { cause });
  }
}
