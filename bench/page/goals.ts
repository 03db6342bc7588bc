/** What the project asks of itself beside others, as figures with a goal. */
import type { LoadResults } from '../measurements/peers-load.js';
import { suiteSends, type StartResults } from '../measurements/peers-start.js';
import type { Figure, Goal } from '../support/figure.js';
import type { Refusals } from '../support/refusals.js';
import { median } from '../support/stats.js';

/** The tools that one would mock this service with; a framework is what one would write it with. */
const mocks = ['wiremock', 'wiremock-judging', 'prism', 'mockoon', 'json-server'];

/** To be as fast as another is to tie with it: what is left of 1 when the difference is one that says nothing. */
const asFast = 0.77;

/** @param nodeMajor of the node that ran the servers: Express itself is more than twice as fast on 24 as on 20 */
export function loadGoals({ servers }: LoadResults, nodeMajor: number): Figure[] {
  const of = (name: string) => servers.find((server) => server.name === name)?.figures;
  const [ours, express] = [of('ours'), of('express')];
  if (ours === undefined) return [];
  const rate: Goal = { of: 'ratio', least: nodeMajor >= 24 ? asFast : 1.5 };
  const found: Figure[] = [];
  if (express !== undefined) {
    const echo = (values: number[]) => ({ what: 'Express echo', values });
    found.push(
      { what: 'sends', unit: '/s', values: ours.sendRate, against: echo(express.sendRate), goal: rate },
      {
        what: 'p99 of sends',
        unit: 'ms',
        values: ours.sendP99Ms,
        against: echo(express.sendP99Ms),
        goal: { of: 'ratio', most: 3 },
      },
      { what: 'look-ups', unit: '/s', values: ours.lookupRate, against: echo(express.lookupRate), goal: rate },
    );
  }
  const mocking = servers.filter(({ name }) => mocks.includes(name));
  const kinds = [
    { kind: 'mocking tools that judge the body', of: mocking.filter(({ refusals }) => judgesBody(refusals)) },
    { kind: 'all mocking tools', of: mocking },
  ];
  for (const { kind, of } of kinds) {
    const fastest = of.sort((a, b) => median(b.figures.sendRate) - median(a.figures.sendRate))[0];
    if (fastest === undefined) continue;
    const against = { what: `fastest of ${kind} (${fastest.name})`, values: fastest.figures.sendRate };
    found.push({ what: 'sends', unit: '/s', values: ours.sendRate, against, goal: { of: 'ratio', least: 2 } });
  }
  found.push({
    what: 'a batch of 100, until its answer is there',
    unit: 'ms',
    values: ours.batchAloneMs,
    against: { what: 'one send', values: ours.sendAloneMs },
    goal: { of: 'ratio', most: 10 },
  });
  return found;
}

/** Whether it refuses what the document's schema forbids, as it was seen to in the same run. */
function judgesBody({ wrongType, missingTemplate }: Refusals): boolean {
  return [wrongType, missingTemplate].every((status) => status !== null && status >= 400 && status < 500);
}

export function startGoals({ servers }: StartResults): Figure[] {
  const of = (name: string) => servers.find((server) => server.name === name)?.figures;
  const [ours, express, prism] = [of('ours'), of('express'), of('prism')];
  if (ours === undefined) return [];
  const found: Figure[] = [];
  const ready = (what: string, against: number[], most: number): Figure => ({
    what: 'spawn to ready',
    unit: 'ms',
    values: ours.readyMs,
    against: { what, values: against },
    goal: { of: 'ratio', most },
  });
  if (express !== undefined) found.push(ready('Express echo', express.readyMs, 2));
  if (prism !== undefined) found.push(ready('Prism', prism.readyMs, 0.2));
  const mocking = servers.filter(({ name }) => mocks.includes(name));
  const soonest = mocking.sort((a, b) => median(a.figures.suiteMs) - median(b.figures.suiteMs))[0];
  if (soonest !== undefined) {
    found.push({
      what: `spawn to ${suiteSends} accepted sends`,
      unit: 'ms',
      values: ours.suiteMs,
      against: { what: `soonest of all mocking tools (${soonest.name})`, values: soonest.figures.suiteMs },
      goal: { of: 'ratio', most: 0.5 },
    });
  }
  const idle = ours.idleMb.filter((mb) => mb !== null);
  if (idle.length > 0) found.push({ what: 'idle memory', unit: 'MB', values: idle, goal: { of: 'value', most: 90 } });
  return found;
}
