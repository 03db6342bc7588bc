/** The report of an exploration as one page of HTML. */
import { counted, printable } from '../domain/text.js';
import { doubtOf, isUnreplaced, oneOfEach, tally, withAllowed, withState } from './report.js';
import { numberless } from './facts/state.js';
import type { Cell, Report } from './facts/types.js';

/** Maximum number of differences of one cell. */
const mostShown = 6;

/** The differences of a cell that say most: what the customer did not get, then changed words, which are short, then numbers. */
function mainly({ allowed }: Cell): string[] {
  const rank = (text: string) =>
    text.startsWith('The application reports') ? (/: \d+ instead/.test(text) ? 2 : 1) : 0;
  return [...allowed].sort((a, b) => rank(a) - rank(b) || a.length - b.length);
}

/** Says also whether something was sent in place of a message that was not. */
function reactionOf(cell: Cell): string[] {
  const all = mainly(cell);
  const left = all.length - mostShown;
  return [
    ...all.slice(0, mostShown),
    ...(left > 0 ? [`${counted(left, 'further difference')}: see "allowed" in report.json.`] : []),
    ...(isUnreplaced(cell) ? ['Nothing was sent instead.'] : []),
  ];
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

export function reportPage(report: Report): string {
  const { baseline, breaks, notes } = report;
  const lines = (all: readonly string[]) => `<pre>${all.map(escaped).join('\n')}</pre>`;
  const ends = ({ end }: Cell) => {
    if (end.length === 0) return '';
    const [before, now] = [
      baseline.filter((line) => !end.includes(line)),
      end.filter((line) => !baseline.includes(line)),
    ];
    const same = `<p>${counted(end.length - now.length, 'further line')} of the end state: no difference.</p>`;
    return `<div><h3>Without the fault</h3>${lines(before)}</div><div><h3>With it</h3>${lines(now)}</div>${same}`;
  };
  const item = (cell: Cell, about = '') =>
    `<li><b>${escaped(cell.title)}</b> <code>${escaped(cell.id)}</code><p>${escaped(about)}</p>${ends(cell)}`;
  const broken = breaks.map(({ kind, cell, sentence, ignored, file, noFile, scenario }) => {
    const why = `${kind}${ignored === null ? '' : ` (ignored: ${ignored})`}: ${sentence} ${noFile ?? ''}`;
    const shown = file === null ? '' : `<details><summary>${escaped(file)}</summary>${lines([scenario])}</details>`;
    return item(cell, why) + shown;
  });
  const resultOf = (cell: Cell) => numberless(`${cell.title} ${mainly(cell).slice(0, 3).join(' ')}`);
  const allowed = oneOfEach(withAllowed(report), resultOf).map(
    ([cell, more]) => item(cell, more.trim()) + lines(reactionOf(cell)),
  );
  const doubtful = oneOfEach(withState(report, 'doubtful')).map(([cell, more]) =>
    item(cell, `${doubtOf(cell)}${more}`),
  );
  const states = (['not tried', 'not reached', 'fine'] as const).map((state) => ({
    title: `${state[0]?.toUpperCase() ?? ''}${state.slice(1)}`,
    items: withState(report, state).map((cell) => item(cell)),
  }));
  const lists = [
    { title: 'What broke', items: broken.length === 0 ? ['<p>Nothing.</p>'] : broken },
    { title: 'Allowed differences', items: allowed },
    { title: 'Doubtful', items: doubtful },
    ...states,
  ]
    .filter(({ items }) => items.length > 0)
    .map(({ title, items }) => `<h2>${title}</h2><ol>${items.join('\n')}</ol>`);
  return printable(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Exploration</title>
<style>:root{color-scheme:light dark}body{font:14px system-ui;margin:1em;overflow-wrap:anywhere}ol{padding-left:2em}
li{margin:1em 0}h3{font-size:1em;margin:0}pre{white-space:pre-wrap;margin:.3em 0 1em}
@media(min-width:700px){div{display:inline-block;vertical-align:top;width:48%;margin-right:2%}}</style>
<h1>Exploration</h1><p>${escaped(tally(report))}</p>
${notes.map((note) => `<p>${escaped(note)}</p>`).join('\n')}
${lists.join('\n')}
</html>
`);
}
