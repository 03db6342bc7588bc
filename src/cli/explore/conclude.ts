/** The output of an exploration while it runs, and its reports at the end. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Config } from '../../config/index.js';
import { printable } from '../../domain/printable.js';
import { titleOf } from '../../explore/cells.js';
import { matrixLines, matrixPage } from '../../explore/matrix.js';
import {
  fileNames,
  reportJson,
  reportJunit,
  reportMarkdown,
  scenarioFile,
  shownProgress,
  shownReport,
  tally,
} from '../../explore/report-files.js';
import type { Progress, Report } from '../../explore/types.js';
import { readStory } from '../../runner/story-file.js';
import { mayColour } from '../command.js';
import { dialectFile, settingOf } from './worlds.js';

interface ReportFlags {
  readonly app?: string;
  readonly waitFor?: string;
  readonly story?: string;
  readonly out: string;
  readonly json?: boolean;
}

export type Show = (exploration: object) => void;

/** @param show called with the state for the web UI */
export function progressTo(json: boolean, show: Show): (progress: Progress) => void {
  return (now) => {
    show(shownProgress(now));
    const { report: _, ...progress } = now;
    if (json) process.stdout.write(`${JSON.stringify({ progress })}\n`);
    else if (process.stderr.isTTY) {
      const { done, left, broken, seconds, latest } = progress;
      const line = `${done} done, ${left} left, ${broken} broken, ${seconds} s: ${latest}`;
      process.stderr.write(`\r\u001b[K${printable(line).slice(0, (process.stderr.columns || 80) - 1)}`);
    }
  };
}

/** Writes the files, prints the failures, and shows them in the web UI. */
export function conclude(
  report: Report,
  config: Config,
  flags: ReportFlags,
  command: readonly string[],
  show: Show,
): void {
  if (flags.json !== true && process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  const { out } = flags;
  const files = fileNames(report.breaks);
  mkdirSync(out, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(out, name), printable(text));
  const [scenario] = config.scenarios;
  const how = {
    command: command.map(quoted).join(' ') || replay(flags),
    extends: scenario === undefined ? null : copied(scenario, out),
    ...(flags.story !== undefined && { story: readStory(flags.story).scenario }),
    quiet: config.clock.quietMs === undefined ? null : `${config.clock.quietMs}ms`,
  };
  const scenarios = report.breaks.map((each, i) => {
    const name = files[i] ?? '';
    const setting = settingOf(each.smallest.placed);
    const dialect = name.replace(/yaml$/, 'dialect.yml');
    if (setting) write(dialect, dialectFile(setting));
    const text = scenarioFile(each, name, { ...how, before: setting ? `SANDBOX_DIALECT=${dialect} ` : '' });
    write(name, text);
    return text;
  });
  const json = reportJson(report, files, scenarios);
  show(shownReport(report, json));
  write('report.json', `${JSON.stringify(json, null, 2)}\n`);
  write('report.xml', reportJunit(report));
  write('report.md', reportMarkdown(report, files, matrixLines(report, false)));
  write('explore.html', matrixPage(report));
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify({ report: json })}\n`);
    return;
  }
  const lines = [
    ...report.breaks.flatMap(({ kind, smallest, deviation, ignored }, i) => [
      `${ignored === null ? 'BROKEN' : 'ignored'}  ${kind}: ${titleOf(smallest.placed)}`,
      `        ${deviation.sentence}`,
      `        ${join(out, files[i] ?? '')}`,
    ]),
    ...report.notes.map((note) => `note: ${note}`),
    `${tally(report)}. Report: ${join(out, 'report.md')}, ${join(out, 'explore.html')}`,
  ];
  process.stdout.write(
    `${[...matrixLines(report, mayColour(process.stdout)), '', ...lines.map((line) => printable(line))].join('\n')}\n`,
  );
}

/** A scenario can only extend files in its folder, or known scenarios by name. */
function copied(scenario: string, out: string): string {
  if (!existsSync(scenario)) return scenario;
  const name = `base-${basename(scenario)}`;
  writeFileSync(join(out, name), readFileSync(scenario));
  return name;
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

const replay = ({ app = '', waitFor, story = '' }: ReportFlags): string =>
  [
    'messaging-sandbox explore --play --app',
    quoted(app),
    ...(waitFor === undefined ? [] : ['--wait-for', quoted(waitFor)]),
    '--story',
    story,
  ].join(' ');
