/** The output of an exploration while it runs, and its reports at the end. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { within } from '../time/system-clock.js';
import { connect } from './client.js';
import { counted, printable } from '../domain/text.js';
import {
  hasFailed,
  reportJson,
  reportJunit,
  reportLines,
  reportPage,
  tally,
  untriedFile,
  untriedText,
} from '../explore/report.js';
import type { Progress, Report } from '../explore/types.js';

export function progressTo(json: boolean): (progress: Progress) => void {
  return (progress) => {
    if (json) process.stdout.write(`${JSON.stringify({ progress })}\n`);
    else if (process.stderr.isTTY) {
      const { done, left, broken, seconds, latest } = progress;
      const line = `${done} done, ${left} left, ${counted(broken, 'break')}, ${seconds} s: ${latest}`;
      process.stderr.write(`\r\u001b[K${printable(line).slice(0, (process.stderr.columns || 80) - 1)}`);
    }
  };
}

interface ReportFlags {
  readonly out: string;
  /** Names the story and its application. */
  readonly named: string;
  readonly json?: boolean;
  readonly strict?: boolean;
}

/**
 * Writes the files, shows the report in a running sandbox, and prints the result.
 * @param base the scenario that the files extend
 * @returns whether something broke that is not ignored
 */
export async function conclude(
  report: Report,
  { out, named, json = false, strict = false }: ReportFlags,
  base: { readonly name: string; readonly text: string } | null,
): Promise<boolean> {
  if (!json && process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  mkdirSync(out, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(out, name), printable(text));
  if (base) write(base.name, base.text);
  const at = (file: string) => join(out, file);
  for (const { file, scenario } of report.breaks) if (file !== null) write(file, scenario);
  const shown = reportJson(report, named);
  write('report.json', `${JSON.stringify(shown, null, 2)}\n`);
  write('report.xml', reportJunit(report, strict, at));
  write(untriedFile, untriedText(report));
  const page = printable(reportPage(report));
  write('explore.html', page);
  const lines = [
    ...reportLines(report, at),
    `Report: ${at('explore.html')}, ${at('report.xml')}`,
    ...(await showInSandbox(page)),
    tally(report),
  ];
  process.stdout.write(json ? `${JSON.stringify({ report: shown })}\n` : `${lines.join('\n')}\n`);
  return hasFailed(report, strict);
}

/** Real time that a running sandbox gets to store the report. */
const storeMs = 2_000;

/**
 * Stores the page in the sandbox that MESSAGING_BASE_URL names, or in one at the default address.
 * @returns the line that says where it is shown; none if no sandbox runs at the default address
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
