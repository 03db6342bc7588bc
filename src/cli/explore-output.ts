import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { within } from '../time/system-clock.js';
import { connect } from './client.js';
import { counted, printable } from '../domain/text.js';
import {
  hasFailed,
  insteadFile,
  reportJson,
  reportJunit,
  reportLines,
  pageFile,
  tally,
  untriedFile,
  untriedText,
  withInstead,
} from '../explore/report.js';
import { reportPage } from '../explore/report-page.js';
import { ExploreError } from '../explore/facts/error.js';
import { insteadText } from '../explore/oracle/required.js';
import type { Progress, Report } from '../explore/facts/types.js';

/** Shows on stderr what happens before the report: its user can stop early to change the story. */
export function progressTo(json: boolean) {
  const onNotes = (notes: readonly string[]) => {
    if (!json) for (const note of notes) process.stderr.write(printable(`note: ${note}\n`));
  };
  const onProgress = (progress: Progress) => {
    if (json) process.stdout.write(`${JSON.stringify({ progress })}\n`);
    else if (process.stderr.isTTY) {
      const { done, left, broken, seconds, latest } = progress;
      const line = `${done} done, ${left} left, ${counted(broken, 'break')}, ${seconds} s: ${latest}`;
      process.stderr.write(`\r\u001b[K${printable(line).slice(0, (process.stderr.columns || 80) - 1)}`);
    }
  };
  return { onNotes, onProgress };
}

interface ReportFlags {
  readonly out: string;
  readonly named: string;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly require?: string;
}

/** `base` is the scenario that the files extend. Returns whether a break is not ignored. */
export async function conclude(
  report: Report,
  { out, named, json = false, strict = false, require }: ReportFlags,
  base: { readonly name: string; readonly text: string } | null,
): Promise<boolean> {
  if (!json && process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  mkdirSync(out, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(out, name), printable(text));
  if (base) write(base.name, base.text);
  const at = (file: string) => join(out, file);
  // An earlier exploration may have written them.
  for (const file of [failedFile, insteadFile]) rmSync(at(file), { force: true });
  for (const { file, scenario } of report.breaks) if (file !== null) write(file, scenario);
  const shown = reportJson(report, named);
  write('report.json', `${JSON.stringify(shown, null, 2)}\n`);
  write('report.xml', reportJunit(report, strict, at));
  write(untriedFile, untriedText(report));
  const instead = withInstead(report);
  if (instead.length > 0) write(insteadFile, insteadText(instead));
  const page = printable(reportPage(report));
  write(pageFile, page);
  const lines = [
    ...reportLines(report, at, require !== undefined),
    `Report: ${at(pageFile)}, ${at('report.xml')}`,
    ...(await showInSandbox(page)),
    tally(report),
  ];
  process.stdout.write(json ? `${JSON.stringify({ report: shown })}\n` : `${lines.join('\n')}\n`);
  return hasFailed(report, strict);
}

const failedFile = 'failed-run.txt';

/** Stores how a run ended that did not let its story be explored. */
export function withEnd(error: unknown, out: string): unknown {
  if (!(error instanceof ExploreError) || error.end.length === 0) return error;
  mkdirSync(out, { recursive: true });
  const file = join(out, failedFile);
  writeFileSync(file, `${printable(error.end.join('\n'))}\n`);
  return new ExploreError(`${error.message} The messages and the state at its end: ${file}`);
}

/** Real time. */
const storeMs = 2_000;

/**
 * The sandbox is the one that MESSAGING_BASE_URL names, or one at the default address. Returns no line if none runs
 * there.
 */
async function showInSandbox(text: string): Promise<string[]> {
  const isNamed = Boolean(process.env['MESSAGING_BASE_URL']);
  try {
    const sandbox = connect({});
    const stored = await within(storeMs, sandbox.call('PUT', '/_sandbox/explore', text, 'text/html'));
    if (stored !== 'late') return [`Shown at ${sandbox.url}/_sandbox/explore`];
    return isNamed ? [`Not shown at ${sandbox.url}: no response within ${storeMs / 1000} s.`] : [];
  } catch (error) {
    return isNamed ? [`Not shown: ${(error as Error).message}`] : [];
  }
}
