import { suiteSends, type StartResults } from '../measurements/peers-start.js';
import { median, ratios } from '../support/stats.js';
import { shown } from '../support/units.js';
import { startGoals } from './goals.js';
import { rowsTable, table } from './table.js';
import { titleOf } from './titles.js';

export function startTables(results: StartResults): string {
  const { servers } = results;
  const reference = servers.find(({ name }) => name === 'express')?.figures;
  return [
    rowsTable(startGoals(results)),
    table(
      [
        'Server',
        'Spawn to ready',
        '× Express',
        'Spawn to first accepted send',
        '× Express',
        'Memory then',
        `Spawn to ${suiteSends} accepted sends`,
        '× Express',
      ],
      servers.map(({ figures, ...server }) => [
        titleOf(server),
        shown(median(figures.readyMs), 'ms'),
        reference === undefined ? '' : ratios(figures.readyMs, reference.readyMs),
        shown(median(figures.firstAnswerMs), 'ms'),
        reference === undefined ? '' : ratios(figures.firstAnswerMs, reference.firstAnswerMs),
        shown(median(figures.idleMb.filter((mb) => mb !== null)), 'MB'),
        shown(median(figures.suiteMs), 'ms'),
        reference === undefined ? '' : ratios(figures.suiteMs, reference.suiteMs),
      ]),
    ),
  ].join('\n\n');
}
