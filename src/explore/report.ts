/** Text, JSON and JUnit. */
import { counted, printable } from '../domain/text.js';
import { junitXml } from '../reports/junit.js';
import type { Cell, Report } from './facts/types.js';

/** `story` names the story and its application. */
export function reportJson({ breaks, ...rest }: Report, story: string): object {
  return { story, ...rest, breaks: breaks.map(({ cell, ...one }) => ({ ...one, cell: cell.id, title: cell.title })) };
}

/** Nothing if the report is about another story, or another file. */
export function readWaits(text: string, story: string): Report['waits'] {
  try {
    const report = JSON.parse(text) as { waits?: Report['waits']; story?: string };
    return report.story === story ? (report.waits ?? []) : [];
  } catch {
    return [];
  }
}

export const count = (cells: readonly Cell[], state: Cell['state']): number =>
  cells.filter((cell) => cell.state === state).length;

export const withState = ({ cells }: Report, state: Cell['state']): Cell[] =>
  cells.filter((cell) => cell.state === state);
export const doubtOf = ({ deviations: [first] }: Cell): string =>
  `${first?.sentence ?? ''} ${first?.doubt ?? ''}`.trim();

/** Cells for which the report says something about the application: the fault reached it. */
const judged = (cells: readonly Cell[]): number =>
  cells.length - count(cells, 'not tried') - count(cells, 'not reached');

/** The share of the cells that were judged, in percent, rounded down; 100 if there are none. */
export const percentJudged = ({ cells }: Pick<Report, 'cells'>): number =>
  cells.length === 0 ? 100 : Math.floor((100 * judged(cells)) / cells.length);

export const hasFailed = ({ breaks, cells }: Report, strict: boolean): boolean =>
  breaks.some(({ ignored }) => ignored === null) || (strict && count(cells, 'doubtful') > 0);

/** The share that was tried first: what was not tried is not fine. */
export function tally({ cells, breaks, seconds }: Report): string {
  const tried = judged(cells);
  const all = cells.length === tried ? counted(tried, 'cell') : `${tried} of ${counted(cells.length, 'cell')}`;
  const open = breaks.filter(({ ignored }) => ignored === null).length;
  const what =
    open > 0 ? `found ${counted(open, 'break')}` : tried === 0 ? 'so nothing is known' : 'nothing broke in these';
  const states = ['ignored', 'doubtful', 'not reached', 'not tried'] as const;
  const rest = states.flatMap((state) => (count(cells, state) === 0 ? [] : [`${count(cells, state)} ${state}`]));
  return `Tried ${all} in ${Math.round(seconds)} s; ${what}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}.`;
}

/** Returns one of the cells with the same fault and the same doubt, and in words how many more there are. */
export function oneOfEach(
  cells: readonly Cell[],
  resultOf = ({ deviations: [first] }: Cell): string | undefined => first?.kind,
): (readonly [Cell, string])[] {
  const causeOf = (cell: Cell) => [cell.at, cell.id.split('/').at(-1), resultOf(cell)].join(' ');
  return cells.flatMap((cell, i) => {
    const same = cells.filter((one) => causeOf(one) === causeOf(cell));
    if (cells.indexOf(same[0] ?? cell) !== i) return [];
    return [[cell, same.length === 1 ? '' : ` (and ${same.length - 1} alike)`] as const];
  });
}

export const withAllowed = (report: Report): Cell[] =>
  withState(report, 'fine').filter(({ allowed }) => allowed.length > 0);

/** Faults by which a single message fails, and in place of which an application may have to send another one. */
const failing = ['refused', 'window-closed', 'template-paused'];

/** True if a message was not sent, and no other one in its place. */
export const isUnreplaced = ({ at, allowed, instead }: Cell): boolean =>
  at === 'message.send' &&
  instead.length === 0 &&
  allowed.every((text) => !text.includes('which does not happen without the fault')) &&
  allowed.some((text) => /was sent (?:0 times|once) instead of/.test(text));

/** Nobody but its user knows whether an application should send another message. */
function replacementsOf({ cells }: Report, page: string): string[] {
  const faults = failing.flatMap((fault) => {
    const all = cells.filter(({ id }) => id.endsWith(`/${fault}`));
    const own = all.filter((cell) => cell.state === 'fine' && isUnreplaced(cell)).length;
    const left = count(all, 'not tried');
    return own === 0 ? [] : [`${fault} (${counted(own, 'cell')}${left === 0 ? '' : `; ${left} not tried`})`];
  });
  return faults.length === 0
    ? []
    : [
        `nothing instead: no other message was sent after ${faults.join(', ')}: see ${page}. If your application should send one, such as a template when the session window is closed, demand it with --require.`,
      ];
}

export const withInstead = ({ cells }: Report): Cell[] => cells.filter(({ instead }) => instead.length > 0);

export const insteadFile = 'sent-instead.yaml';
export const untriedFile = 'not-tried.txt';
export const pageFile = 'explore.html';

export const untriedText = (report: Report): string =>
  withState(report, 'not tried')
    .map(({ id }) => `${id}\n`)
    .join('');

/** Estimates the budget that tries every cell: as long for each as for the latest ones. */
function budgetFor({ cells, seconds, tried, secondsPerCell, runSeconds }: Report, file: string): string {
  const left = count(cells, 'not tried');
  if (tried === 0)
    return `The first runs took all the time: one without a fault takes up to ${Math.ceil(runSeconds)} s. Give at least --budget ${Math.ceil(seconds / 20)}m. A story with fewer values of "at" and shorter waits ends sooner; on a busy machine, pass a smaller --parallel.`;
  const rest = `To try only these: --only @${file}`;
  if (secondsPerCell === null) return `Too few were tried to estimate the time for all. ${rest}`;
  const all = Math.ceil((seconds + secondsPerCell * left) / 60);
  return `All ${cells.length} cells take about --budget ${all}m; a run without a fault takes ${runSeconds} s. ${rest}`;
}

/** `at` gives the path of a file. `demands`: whether its user knows how to demand a message */
export function reportLines(report: Report, at: (file: string) => string, demands = false): string[] {
  const doubtful = withState(report, 'doubtful');
  const left = withState(report, 'not tried');
  const others = withAllowed(report);
  const instead = withInstead(report);
  return [
    ...report.breaks.flatMap(({ kind, cell, sentence, ignored, file, noFile, tries }) => [
      `${ignored === null ? 'BROKEN' : 'ignored'}  ${kind}: ${cell.title}`,
      `        ${sentence}`,
      `        ${file === null ? `No file. ${noFile ?? ''}` : at(file)}  (--only '${cell.id}')`,
      ...(tries < 2
        ? []
        : [`        ${counted(tries - 1, 'further cell')} broke in the same way: see "cells" in report.json.`]),
    ]),
    ...oneOfEach(doubtful).map(
      ([cell, more]) => `doubt   ${cell.title}${more}: ${doubtOf(cell)} (--only '${cell.id}')`,
    ),
    ...(left.length === 0
      ? []
      : [
          `not tried: ${counted(left.length, 'cell')}, listed in ${at(untriedFile)}. ${budgetFor(report, at(untriedFile))}`,
        ]),
    ...(others.length === 0
      ? []
      : [
          `allowed: ${counted(others.length, 'cell')} ended otherwise than without the fault, as a correct application may. Check that yours should: see "Allowed differences" in ${at(pageFile)}.`,
        ]),
    ...(instead.length === 0 || demands
      ? []
      : [
          `sent instead: after ${counted(instead.length, 'cell')}, another message was sent in place of the failed one. To demand these messages from now on, copy ${at(insteadFile)}, and pass the copy with --require.`,
        ]),
    ...replacementsOf(report, at(pageFile)),
    ...report.notes.map((note) => `note: ${note}`),
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
