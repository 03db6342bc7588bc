/** The reports of an exploration: text, JSON, JUnit, and one page of HTML. */
import { counted, printable } from '../domain/text.js';
import { junitXml } from '../reports/junit.js';
import type { Break, Cell, Report } from './types.js';

export function reportJson({ breaks, ...rest }: Report): object {
  return { ...rest, breaks: breaks.map(({ cell, ...one }) => ({ ...one, cell: cell.id, title: cell.title })) };
}

/** Reads what `reportJson` has written, to resume. @throws Error if it is another file */
export function readReport(text: string, scenarioOf: (file: string) => string): Pick<Report, 'cells' | 'breaks'> {
  const { cells, breaks } = JSON.parse(text) as {
    cells: Cell[];
    breaks: (Omit<Break, 'cell'> & { cell: string })[];
  };
  return {
    cells,
    breaks: breaks.flatMap((one) => {
      const cell = cells.find(({ id }) => id === one.cell);
      return cell ? [{ ...one, cell, scenario: one.file === null ? '' : scenarioOf(one.file) }] : [];
    }),
  };
}

export const count = (cells: readonly Cell[], state: Cell['state']): number =>
  cells.filter((cell) => cell.state === state).length;

const withState = ({ cells }: Report, state: Cell['state']): Cell[] => cells.filter((cell) => cell.state === state);
const doubtOf = ({ deviations: [first] }: Cell): string => `${first?.sentence ?? ''} ${first?.doubt ?? ''}`.trim();

/** Whether the exploration found something that fails it. */
export const hasFailed = ({ breaks, cells }: Report, strict: boolean): boolean =>
  breaks.some(({ ignored }) => ignored === null) || (strict && count(cells, 'doubtful') > 0);

export function tally({ cells, tried, seconds, breaks }: Report): string {
  const states = ['fine', 'ignored', 'doubtful', 'not reached', 'not tried'] as const;
  const parts = states.flatMap((state) => (count(cells, state) === 0 ? [] : [`${count(cells, state)} ${state}`]));
  const open = breaks.filter(({ ignored }) => ignored === null).length;
  return `${counted(open, 'break')}; ${counted(tried, 'try')} in ${seconds} s: ${[`${count(cells, 'broken')} broken`, ...parts].join(', ')}`;
}

/** @param at returns the path of a file */
export function reportLines(report: Report, at: (file: string) => string): string[] {
  const doubtful = withState(report, 'doubtful');
  const left = withState(report, 'not tried');
  return [
    ...report.breaks.flatMap(({ kind, cell, sentence, ignored, file, noFile }) => [
      `${ignored === null ? 'BROKEN' : 'ignored'}  ${kind}: ${cell.title}`,
      `        ${sentence}`,
      `        ${file === null ? `No file. ${noFile ?? ''}` : at(file)}  (--only '${cell.id}')`,
    ]),
    ...doubtful.map((cell) => `doubt   ${cell.title}: ${doubtOf(cell)}`),
    ...left.slice(0, 10).map(({ id }) => `not tried: ${id}`),
    ...(left.length > 10 ? [`not tried: ${left.length - 10} more, in the report; --resume goes on`] : []),
    ...report.notes.map((note) => `note: ${note}`),
    tally(report),
  ].map((line) => printable(line.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))));
}

/** A test case for each cell: a break names its file, a doubt is skipped, or fails if `strict`. */
export function reportJunit(report: Report, strict: boolean, at: (file: string) => string): string {
  const { cells, breaks, notes } = report;
  const cases = cells.map((cell) => {
    const own = breaks.filter((one) => one.cell.id === cell.id && one.ignored === null);
    const doubt = cell.state === 'doubtful' ? `doubtful: ${doubtOf(cell)}` : null;
    const same = cell.state === 'broken' && own.length === 0 ? (cell.deviations[0]?.sentence ?? null) : null;
    const failure = own[0]?.sentence ?? same ?? (strict ? doubt : null);
    const skipped = cell.state === 'fine' || cell.state === 'broken' ? undefined : (doubt ?? cell.state);
    return {
      group: `explore.${cell.at}`,
      name: `${cell.id}: ${cell.title}`,
      failure,
      seconds: cell.seconds,
      details: own.map(({ file, noFile }) => (file === null ? (noFile ?? '') : at(file))),
      ...(failure === null && skipped !== undefined && { skipped }),
    };
  });
  return junitXml([{ name: 'messaging-sandbox explore', cases, note: [tally(report), ...notes].join('\n') }]);
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Returns the report as one page without scripts. */
export function reportPage(report: Report): string {
  const { baseline, cells, breaks, notes } = report;
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : `<h2>${title}</h2><ol>${items.map((item) => `<li>${item}</li>`).join('\n')}</ol>`;
  const lines = (all: readonly string[]) => `<pre>${escaped(all.join('\n'))}</pre>`;
  const endOf = ({ end }: Cell) =>
    `<table><tr><th>without the fault<th>with it<tr><td>${lines(baseline)}<td>${lines(end)}</table>`;
  const head = ({ title, id }: Cell) => `<b>${escaped(title)}</b> <code>${escaped(id)}</code>`;
  const broken = breaks.map(
    ({ kind, cell, sentence, ignored, file, noFile, scenario }) =>
      `${escaped(kind)}: ${head(cell)}${ignored === null ? '' : ` (ignored: ${escaped(ignored)})`}<p>${escaped(sentence)}</p>
${file === null ? `<p>No file. ${escaped(noFile ?? '')}</p>` : `<details><summary>${escaped(file)}</summary>${lines([scenario])}</details>`}${endOf(cell)}`,
  );
  const by = (state: Cell['state']) => cells.filter((cell) => cell.state === state);
  return printable(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Exploration</title>
<style>body{font:14px system-ui;margin:2em;color-scheme:light dark}td{vertical-align:top}li{margin:.5em 0}pre{white-space:pre-wrap}</style>
<h1>Exploration</h1><p>${escaped(tally(report))}</p>
${notes.map((note) => `<p>${escaped(note)}</p>`).join('\n')}
${broken.length === 0 ? '<h2>What broke</h2><p>Nothing.</p>' : list('What broke', broken)}
${list(
  'Doubtful',
  by('doubtful').map((cell) => `${head(cell)}<p>${escaped(doubtOf(cell))}</p>${endOf(cell)}`),
)}
${list('Not tried', by('not tried').map(head))}
${list('Not reached', by('not reached').map(head))}
${list('Fine', by('fine').map(head))}
</html>
`);
}
