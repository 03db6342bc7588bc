/** Two builds of ours, the base and the present tree, in turns of one run. */
import { join } from 'node:path';
import { measureLoad, type LoadFigures } from '../measurements/peers-load.js';
import { measureStart, suiteSends, type StartFigures } from '../measurements/peers-start.js';
import { sandboxOf } from '../peers/ours.js';
import { builtCli } from '../support/built.js';
import type { Settings } from '../support/settings.js';
import type { Unit } from '../support/units.js';
import { withBuilt } from './worktree.js';
import type { Pair } from './verdict.js';

/** @param base a commit, branch or tag */
export function compareWith(base: string, settings: Settings): Promise<Pair[]> {
  return withBuilt(base, async (folder) => {
    const builds = [
      sandboxOf('base', base, () => Promise.resolve(join(folder, 'dist/cli/main.js'))),
      sandboxOf('head', 'this tree', builtCli),
    ];
    const [loadBase, loadHead] = (await measureLoad(builds, settings)).map(({ figures }) => figures);
    const [startBase, startHead] = (await measureStart(builds, settings.rounds)).map(({ figures }) => figures);
    if (!loadBase || !loadHead || !startBase || !startHead) throw new Error('a build has no figures');
    return [...loadPairs(loadBase, loadHead), ...startPairs(startBase, startHead)];
  });
}

function loadPairs(base: LoadFigures, head: LoadFigures): Pair[] {
  const pair = (what: string, unit: Unit, better: Pair['better'], part: keyof LoadFigures): Pair[] =>
    both(what, unit, better, base[part], head[part]);
  return [
    ...pair('POST /v1/messages', '/s', 'higher', 'sendRate'),
    ...pair('the same, processor time', 'µs', 'lower', 'sendCpuUs'),
    ...pair('the same, p99', 'ms', 'lower', 'sendP99Ms').map((each) => ({ ...each, shownOnly: true as const })),
    ...pair('GET /v1/messages/{id}', '/s', 'higher', 'lookupRate'),
    ...pair('POST /v1/messages, batch of 100', '/s', 'higher', 'batchRate'),
  ];
}

function startPairs(base: StartFigures, head: StartFigures): Pair[] {
  const pair = (what: string, unit: Unit, part: keyof StartFigures): Pair[] =>
    both(what, unit, 'lower', base[part], head[part]);
  return [
    ...pair('spawn to ready', 'ms', 'readyMs'),
    ...pair('spawn to first accepted send', 'ms', 'firstAnswerMs'),
    ...pair(`spawn to ${suiteSends} accepted sends`, 'ms', 'suiteMs'),
    ...pair('idle memory', 'MB', 'idleMb'),
  ];
}

/** Nothing where the system does not tell one of them. */
function both(
  what: string,
  unit: Unit,
  better: Pair['better'],
  base: readonly (number | null)[],
  head: readonly (number | null)[],
): Pair[] {
  const [known, knownHead] = [base.filter((value) => value !== null), head.filter((value) => value !== null)];
  if (known.length !== base.length || knownHead.length !== head.length) return [];
  return [{ what, unit, better, base: known, head: knownHead }];
}
