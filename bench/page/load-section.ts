import type { LoadFigures, LoadResults } from '../measurements/peers-load.js';
import { peers } from '../peers/registry.js';
import { median, ratios } from '../support/stats.js';
import { shown, type Unit } from '../support/units.js';
import type { Refusals } from '../support/refusals.js';
import { loadGoals } from './goals.js';
import { rowsTable, table } from './table.js';
import { titleOf } from './titles.js';

/** From this share on, the load generator and not the server was what limited a rate. */
const generatorFull = 0.9;

export function loadTables(results: LoadResults, nodeMajor: number): string {
  const { servers } = results;
  const reference = servers.find(({ name }) => name === 'express')?.figures;
  const toExpress = (figures: LoadFigures, part: 'sendRate' | 'sendP99Ms' | 'lookupRate'): string =>
    reference === undefined ? '' : ratios(figures[part], reference[part]);
  const mid = (values: readonly (number | null)[], unit: Unit): string =>
    shown(median(values.filter((v) => v !== null)), unit);
  return [
    rowsTable(loadGoals(results, nodeMajor)),
    '`POST /v1/messages`, one template message to one number:',
    table(
      ['Server', 'Sends', '× Express', 'p50', 'p99', 'p99 × Express', 'Processor time a send'],
      servers.map(({ figures, ...server }) => [
        titleOf(server),
        (median(figures.generatorShare) >= generatorFull ? '≥ ' : '') + mid(figures.sendRate, '/s'),
        toExpress(figures, 'sendRate'),
        mid(figures.sendP50Ms, 'ms'),
        mid(figures.sendP99Ms, 'ms'),
        toExpress(figures, 'sendP99Ms'),
        mid(figures.sendCpuUs, 'µs'),
      ]),
    ),
    '`GET /v1/messages/{id}`, and `POST /v1/messages` to 100 numbers:',
    table(
      ['Server', 'Look-ups', '× Express', 'Batches of 100', 'Costs … sends', 'Batch alone', '× send alone'],
      servers.map(({ figures, ...server }) => [
        titleOf(server),
        mid(figures.lookupRate, '/s'),
        toExpress(figures, 'lookupRate'),
        mid(figures.batchRate, '/s'),
        ratios(figures.sendRate, figures.batchRate),
        mid(figures.batchAloneMs, 'ms'),
        ratios(figures.batchAloneMs, figures.sendAloneMs),
      ]),
    ),
    'What each said to requests that the document forbids, asked in the same run (4xx = refused, 2xx = taken):',
    table(
      ['Server', 'Without a key', '`to` a number', 'Without `template`', 'Broken JSON'],
      servers.map(({ refusals, ...server }) => [titleOf(server), ...refusalCells(refusals)]),
    ),
    'What each leaves out of what ours does for a request:',
    servers
      .flatMap(({ name }) => peers.filter((peer) => peer.name === name && !name.startsWith('ours')))
      .map(({ title, leavesOut }) => `- ${title}: ${leavesOut}.`)
      .join('\n'),
    'Not measured:',
    results.left.map(({ name, why }) => `- ${name}: ${why}.`).join('\n'),
  ].join('\n\n');
}

function refusalCells({ withoutKey, wrongType, missingTemplate, brokenJson }: Refusals): string[] {
  return [withoutKey, wrongType, missingTemplate, brokenJson].map((status) =>
    status === null ? 'no answer' : `${status}`,
  );
}
