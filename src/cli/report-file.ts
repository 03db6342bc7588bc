/** Report files of a command, in the format of their extension, and the summary of a CI step. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { printable } from '../domain/printable.js';
import { type Coverage, coverageJunit, coverageMarkdown } from '../reports/coverage/report.js';
import type { AccountsVerdict } from '../reports/verdict.js';
import { CliFailure, UsageError } from './failure.js';
import { junitOf, markdownOf, verdictJson } from './verdict-report.js';

const FORMATS = { '.json': 'json', '.md': 'markdown', '.xml': 'junit' } as const;

export type ReportFormat = (typeof FORMATS)[keyof typeof FORMATS];

/** @throws CliFailure (2) for another extension */
export function reportFormat(flag: string, file: string): ReportFormat {
  const ending = extname(file).toLowerCase();
  if (ending === '.json' || ending === '.md' || ending === '.xml') return FORMATS[ending];
  throw new UsageError(`${flag}: "${file}" has an unknown extension. Allowed: .json, .md, .xml (JUnit).`);
}

/**
 * Creates missing folders too.
 * @throws CliFailure (1)
 */
export function writeReport(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, printable(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFailure(1, `the report ${file} cannot be written: ${reason}.`, { cause: error });
  }
}

export interface ExecResults {
  readonly coverage: Coverage;
  /** Null if no scenario is active in any account. */
  readonly verdict: AccountsVerdict | null;
}

export interface ExecReports {
  readonly coverage?: string;
  readonly verdict?: string;
}

/** @throws CliFailure (2) if the name of a file does not determine the format, or both reports have the same path */
export function requireFormats({ coverage, verdict }: ExecReports): void {
  if (coverage !== undefined) reportFormat('--coverage', coverage);
  if (verdict !== undefined) reportFormat('--verdict', verdict);
  if (coverage === undefined || verdict === undefined || resolve(coverage) !== resolve(verdict)) return;
  throw new UsageError(`exec: --coverage and --verdict write to "${verdict}". Give each a different file.`);
}

/**
 * Writes the requested reports, and appends to the file in GITHUB_STEP_SUMMARY.
 * @throws CliFailure (1) if a file cannot be written, or a verdict was requested and no scenario was active
 */
export function writeReports(
  files: ExecReports,
  { coverage, verdict }: ExecResults,
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (files.coverage !== undefined) {
    const texts = { json: asJson, markdown: coverageMarkdown, junit: coverageJunit };
    writeReport(files.coverage, texts[reportFormat('--coverage', files.coverage)](coverage));
  }
  addToSummary([coverageMarkdown(coverage), ...(verdict === null ? [] : [markdownOf(verdict)])].join('\n'), env);
  if (files.verdict === undefined) return;
  if (verdict === null) {
    throw new CliFailure(
      1,
      `--verdict ${files.verdict}: no scenario was active at the end, so there is nothing to evaluate. Name one with --scenario.`,
    );
  }
  const texts = { json: (each: AccountsVerdict) => asJson(verdictJson(each)), markdown: markdownOf, junit: junitOf };
  writeReport(files.verdict, texts[reportFormat('--verdict', files.verdict)](verdict));
}

export function asJson(report: object): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Adds Markdown to the summary of a CI step, if there is one.
 * @throws CliFailure (1)
 */
export function addToSummary(markdown: string, env: NodeJS.ProcessEnv = process.env): void {
  const file = env['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, printable(`${markdown}\n`));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliFailure(1, `GITHUB_STEP_SUMMARY: ${file} cannot be appended to: ${reason}.`, { cause: error });
  }
}
