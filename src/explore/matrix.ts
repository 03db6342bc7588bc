/** The matrix of an exploration: a row for each point in the order of the story, a column for each fault. */
import { printable } from '../domain/printable.js';
import { titleOf } from './cells.js';
import { tally } from './report-files.js';
import type { Cell, CellState, Report } from './types.js';

const signs: Readonly<Record<CellState, string>> = {
  fine: '·',
  broken: 'X',
  doubtful: '?',
  ignored: 'i',
  'not reached': '-',
  'not tried': 'o',
};
const colours: Partial<Readonly<Record<CellState, string>>> = {
  fine: '32',
  broken: '1;31',
  doubtful: '33',
  ignored: '33',
};
export const legend = '· fine   X broken   ? doubtful   i ignored   - not reached   o not tried';

interface Grid {
  readonly faults: readonly string[];
  readonly rows: readonly { readonly title: string; readonly cells: readonly (Cell | undefined)[] }[];
}

function gridOf({ cells, points }: Report): Grid {
  const singles = cells.filter(({ placed }) => placed.length === 1);
  const by = new Map(
    singles.map((cell) => [`${cell.placed[0]?.point.id ?? ''}\n${cell.placed[0]?.fault.id ?? ''}`, cell]),
  );
  const faults = [...new Set(singles.map(({ placed }) => placed[0]?.fault.id ?? ''))];
  const rows = points.map(({ id, title }) => ({
    title: printable(title),
    cells: faults.map((fault) => by.get(`${id}\n${fault}`)),
  }));
  return { faults, rows: rows.filter((row) => row.cells.some((cell) => cell !== undefined)) };
}

/** Returns the matrix for a terminal, with the names of the faults written upwards above their columns. */
export function matrixLines(report: Report, colour: boolean): string[] {
  const { faults, rows } = gridOf(report);
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(({ title }) => title.length));
  const height = Math.max(...faults.map(({ length }) => length));
  const heads = Array.from({ length: height }, (_, line) =>
    faults.map((fault) => fault.padStart(height)[line] ?? ' ').join(' '),
  );
  const paint = (state: CellState) => {
    const code = colour ? colours[state] : undefined;
    return code === undefined ? signs[state] : `\u001b[${code}m${signs[state]}\u001b[0m`;
  };
  return [
    ...heads.map((head) => `${' '.repeat(width)}  ${head}`.trimEnd()),
    ...rows.map(({ title, cells }) =>
      `${title.padEnd(width)}  ${cells.map((cell) => (cell ? paint(cell.state) : ' ')).join(' ')}`.trimEnd(),
    ),
    '',
    legend,
  ];
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Returns the matrix as one page without scripts. A cell links to the expected and found end states. */
export function matrixPage(report: Report): string {
  const { faults, rows } = gridOf(report);
  const cell = (one: Cell | undefined) => {
    if (!one) return '<td></td>';
    const words = one.deviations.map(
      ({ sentence, doubt }) => `<p>${escaped([sentence, doubt ?? ''].join(' ').trim())}</p>`,
    );
    const sign = signs[one.state];
    const inner =
      words.length === 0
        ? sign
        : `<details><summary>${sign}</summary><div><b>${escaped(titleOf(one.placed))}</b>${words.join('')}</div></details>`;
    return `<td class="${one.state.replace(' ', '-')}" title="${escaped(`${titleOf(one.placed)}: ${one.state}`)}">${inner}</td>`;
  };
  const head = faults.map((fault) => `<th scope="col"><span>${escaped(fault)}</span></th>`).join('');
  const body = rows.map(
    ({ title, cells }) => `<tr><th scope="row">${escaped(title)}</th>${cells.map(cell).join('')}</tr>`,
  );
  const breaks = report.breaks.map(
    ({ kind, smallest, deviation, ignored }) =>
      `<li><b>${escaped(kind)}</b>: ${escaped(titleOf(smallest.placed))}. ${escaped(deviation.sentence)}${ignored === null ? '' : ' (ignored)'}</li>`,
  );
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Exploration</title>
<style>
body{font:14px system-ui;margin:2em;color-scheme:light dark}table{border-collapse:collapse}
th[scope=row]{text-align:left;font-weight:400;padding-right:1em;white-space:nowrap}
th[scope=col]{height:9em;vertical-align:bottom;font-weight:400}th span{writing-mode:vertical-rl;transform:rotate(180deg)}
td{width:1.6em;height:1.6em;text-align:center;border:1px solid #8884;position:relative}
.fine{background:#2a72}.broken{background:#d226;font-weight:700}.doubtful,.ignored{background:#ea06}
summary{list-style:none;cursor:pointer}details div{position:absolute;z-index:1;left:1em;width:30em;padding:.5em 1em;text-align:left;background:Canvas;border:1px solid #888}
</style>
<h1>Exploration</h1><p>${escaped(tally(report))}. Seed ${report.seed}.</p>
${report.notes.map((note) => `<p>${escaped(note)}</p>`).join('\n')}
<h2>What broke</h2>${breaks.length === 0 ? '<p>Nothing.</p>' : `<ol>${breaks.join('\n')}</ol>`}
<h2>Matrix</h2><p>${escaped(legend)}</p>
<table><thead><tr><td></td>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></html>
`;
}
