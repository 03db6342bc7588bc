/** The files of an exploration: a scenario for each kind of break, a summary, JUnit and JSON. */
import { stringify } from 'yaml';
import { counted } from '../domain/in-words.js';
import { junitXml } from '../reports/junit.js';
import { titleOf } from './cells.js';
import { parting } from './outcome.js';
import { rulesOf } from './facts.js';
import type { Break, Cell, Outcome, Progress, Report } from './types.js';

/** How the files describe the story. */
export interface HowPlayed {
  /** The command behind `scenario run FILE`, with its `--`; empty for a story that is a function. */
  readonly command: string;
  /** A prefix of the command line, such as a variable. */
  readonly before?: string;
  /** The scenario that was also active, which the files extend. */
  readonly extends: string | null;
  readonly quiet: string | null;
  /** The scenario of a story file, which the files include. */
  readonly story?: Readonly<Record<string, unknown>>;
}

/** Returns the names of the scenario files, in the order of the breaks. */
export function fileNames(breaks: readonly Break[]): string[] {
  return breaks.map(
    ({ kind, at }, i) => `${String(i + 1).padStart(2, '0')}-${`${kind} ${at}`.replace(/[^a-z0-9]+/g, '-')}.yaml`,
  );
}

/** Returns a scenario that reproduces a break. */
export function scenarioFile({ kind, smallest, deviation }: Break, name: string, how: HowPlayed): string {
  const { placed } = smallest;
  const title = titleOf(placed);
  const rules = rulesOf(placed);
  const comment = [
    `${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)}: ${title}.`,
    deviation.sentence,
    'It is reported because an application can recover from this fault, but this one ends in a different state.',
    ...(how.command === ''
      ? []
      : [`Play it again: ${how.before ?? ''}messaging-sandbox scenario run ${name} -- ${how.command}`]),
    ...(placed.some(({ fault }) => fault.restart === true)
      ? ['A scenario cannot restart your application: restart it by hand at that moment.']
      : []),
    ...(deviation.expect === null && kind !== 'application failed' && kind !== 'never settles'
      ? ['Only the application itself shows this, so the scenario alone passes. Check the state after the run.']
      : []),
  ];
  const forged = placed.some(({ fault }) => fault.id.startsWith('forged'));
  const expect = [
    ...(deviation.expect === null ? [] : [{ at: 'finish', ...deviation.expect, because: because(deviation.sentence) }]),
    ...(forged
      ? rules.map(({ id }) => ({
          at: 'finish',
          that: 'attempts',
          where: { rule: id, status: '2xx' },
          max: 1,
          because: 'Of the two requests, only the genuine one may be accepted.',
        }))
      : []),
  ];
  const document = {
    version: 1,
    name: name.replace(/\.yaml$/, ''),
    description: `${title}.`,
    ...(how.extends !== null && { extends: [how.extends] }),
    ...(how.quiet !== null && { clock: { mode: 'auto', quiet_real: how.quiet } }),
    ...how.story,
    ...(rules.length > 0 && { rules: [...rules, ...listOf(how.story?.['rules'])] }),
    ...(expect.length > 0 && { expect: [...expect, ...listOf(how.story?.['expect'])] }),
  };
  return `${comment.map((line) => `# ${line}`).join('\n')}\n${stringify(document, { lineWidth: 110 })}`;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const because = (sentence: string): string => `With the fault: ${sentence}`;

/** @param scenarios the texts of the files */
export function reportJson(report: Report, files: readonly string[] = [], scenarios: readonly string[] = []): object {
  const { seed, tried, seconds, notes, cells, breaks, points, baseline } = report;
  return {
    seed,
    tried,
    seconds,
    notes,
    baseline,
    points: points.map(({ id, title, kind }) => ({ id, title, kind })),
    breaks: breaks.map(({ kind, at, smallest, deviation, tries, ignored }, i) => ({
      kind,
      at,
      fault: titleOf(smallest.placed),
      sentence: deviation.sentence,
      tries,
      ignored,
      file: files[i] ?? null,
      scenario: scenarios[i] ?? null,
      cell: smallest.placed.map(({ point, fault }) => ({ point: point.id, fault: fault.id })),
    })),
    // The lines of a try begin where it differs from the run without the fault.
    cells: cells.map((cell) => ({
      faults: cell.placed.map(({ point, fault }) => ({ point: point.id, fault: fault.id })),
      title: titleOf(cell.placed),
      state: cell.state,
      deviations: cell.deviations.map(({ kind, sentence, doubt }) => ({ kind, sentence, doubt })),
      ...(cell.outcome && partOf(cell.outcome, baseline)),
    })),
  };
}

/** Returns what the web UI shows while tries run. */
export function shownProgress({ report, ...progress }: Progress): object {
  return { state: 'running', progress, report: reportJson(report()) };
}

/** Returns what the web UI shows in the end. @param json the result of `reportJson` */
export function shownReport(report: Report, json: object): object {
  const { tried, seconds, cells } = report;
  const progress = { done: tried, left: 0, broken: count(cells, 'broken'), seconds, latest: tally(report) };
  return { state: 'done', progress, report: json };
}

/** Maximum number of lines of a try that are shown. */
const mostShown = 40;

function partOf({ end, story }: Outcome, baseline: Outcome): object {
  const partsAt = parting(baseline.story, story);
  return { end, parts_at: partsAt, story: story.slice(partsAt, partsAt + mostShown) };
}

/** Returns a test case for each kind of break, and one for all other tries. */
export function reportJunit(report: Report): string {
  const cases = report.breaks.map(({ kind, at, smallest, deviation, ignored }) => ({
    group: `explore.${at}`,
    name: `${kind}: ${titleOf(smallest.placed)}${ignored === null ? '' : ` (ignored: ${ignored})`}`,
    failure: ignored === null ? deviation.sentence : null,
  }));
  const fine = count(report.cells, 'fine');
  return junitXml('messaging-sandbox explore', [
    ...cases,
    { group: 'explore', name: `${counted(fine, 'try')} ended as without a fault`, failure: null },
  ]);
}

export const count = (cells: readonly Cell[], state: Cell['state']): number =>
  cells.filter((cell) => cell.state === state).length;

export function tally({ cells, tried, seconds }: Report): string {
  const states = ['fine', 'broken', 'ignored', 'doubtful', 'not reached', 'not tried'] as const;
  const parts = states.flatMap((state) => (count(cells, state) === 0 ? [] : [`${count(cells, state)} ${state}`]));
  return `${counted(tried, 'try')} in ${seconds} s: ${parts.join(', ')}`;
}

export function reportMarkdown(report: Report, files: readonly string[], matrix: readonly string[]): string {
  const broken = report.breaks.flatMap(({ kind, at, smallest, deviation, tries, ignored }, i) => [
    `### ${i + 1}. ${kind} at ${at}${ignored === null ? '' : ' (ignored)'}`,
    '',
    `${titleOf(smallest.placed)}. ${deviation.sentence}`,
    '',
    `${counted(tries, 'try')} broke in this way. The mildest is in [${files[i] ?? ''}](${files[i] ?? ''}).`,
    '',
  ]);
  const doubtful = report.cells
    .filter(({ state }) => state === 'doubtful')
    .map(({ placed, deviations: [first] }) => `- ${titleOf(placed)}: ${first?.sentence ?? ''} ${first?.doubt ?? ''}`);
  return [
    '# Exploration',
    '',
    `${tally(report)}. Seed ${report.seed}.`,
    '',
    ...(report.notes.length > 0 ? [...report.notes.map((note) => `- ${note}`), ''] : []),
    ...(broken.length > 0 ? ['## What broke', '', ...broken] : ['Nothing broke.', '']),
    ...(doubtful.length > 0
      ? ['## Doubtful', '', 'These are not proof, and do not fail the run.', '', ...doubtful, '']
      : []),
    '## Matrix',
    '',
    '```text',
    ...matrix,
    '```',
    '',
  ].join('\n');
}
