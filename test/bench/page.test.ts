/** docs/benchmarks.md says what bench/results hold, no more and no less. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { measurements } from '../../bench/measurements/registry.js';
import { benchmarksPage, pagePath } from '../../bench/page/page.js';
import type { LoadFigures, LoadResults } from '../../bench/measurements/peers-load.js';
import { loadGoals } from '../../bench/page/goals.js';
import { meets } from '../../bench/support/figure.js';
import { readResults, type Findings, type Result } from '../../bench/support/results.js';
import { peers } from '../../bench/peers/registry.js';

const machine = { processor: 'Abacus 3000', cores: 2, memoryGb: 8, system: 'Linux 6.1' };
const settings = { rounds: 3, seconds: 1, connections: 50, messages: 1_000_000, only: null };

function result(measurement: string, node: string, findings: Findings): Result {
  return {
    measurement,
    takenAt: '2026-03-01T09:00:00.000Z',
    commit: 'abc1234+',
    node,
    machine,
    loadBefore: 0.1,
    settings,
    findings,
  };
}

function figures(part: Partial<LoadFigures>): LoadFigures {
  return {
    sendRate: [1_000, 2_000, 3_000],
    sendP50Ms: [1, 1, 1],
    sendP99Ms: [10, 10, 10],
    sendCpuUs: [100, null, 300],
    lookupRate: [4_000, 4_000, 4_000],
    batchRate: [500, 500, 500],
    sendAloneMs: [0.5, 0.4, 0.6],
    batchAloneMs: [3, 2, 6],
    generatorShare: [0.5, 0.5, 0.5],
    ...part,
  };
}

const refusals = { withoutKey: 401, wrongType: 400, missingTemplate: 400, brokenJson: null };
const load: LoadResults = {
  kind: 'load',
  servers: [
    { name: 'ours', version: '', figures: figures({}), refusals },
    {
      name: 'express',
      version: '5.0.0',
      figures: figures({ sendRate: [500, 500, 500], generatorShare: [0.95, 0.97, 0.2] }),
      refusals,
    },
    { name: 'prism', version: '1.2.3', figures: figures({ sendRate: [100, 100, 100] }), refusals },
    {
      name: 'wiremock',
      version: '3.0.0',
      figures: figures({ sendRate: [2000, 2000, 2000] }),
      refusals: { ...refusals, wrongType: 200 },
    },
  ],
  left: [{ name: 'Another', why: 'it could not be had' }],
};

/** The cells of a table line, without the blanks that the formatter adds. */
function lines(page: string): string[] {
  return page.split('\n').map((line) => line.replace(/\s*\|\s*/g, '|').replace(/^\||\|$/g, ''));
}

describe('the page on disk', () => {
  it('is what the results make', async () => {
    const message = 'run `npm run bench -- --page`';
    expect(readFileSync(pagePath, 'utf8'), message).toBe(await benchmarksPage(readResults()));
  });

  it('names no path and no host of the machine that measured', () => {
    const text = readFileSync(pagePath, 'utf8') + JSON.stringify(readResults());
    expect(text).not.toMatch(/(?:^|[\s"'(`])\/(?:work|home|root|tmp|Users|var)\b/);
  });

  it('has only results of measurements that exist', () => {
    const names = measurements.map(({ name }) => name);
    expect(readResults().filter(({ measurement }) => !names.includes(measurement))).toStrictEqual([]);
  });
});

describe('a page', () => {
  it('has a section for each measurement, measured or not', async () => {
    const page = await benchmarksPage([]);
    for (const { name, title } of measurements) {
      expect(page).toContain(`\n## ${title}\n`);
      expect(page).toContain(`Not measured yet: \`npm run bench -- ${name}\`.`);
    }
  });

  it('shows medians, and ratios of rounds with their spread', async () => {
    const shown = lines(await benchmarksPage([result('peers', 'v20.1.0', load)]));
    expect(shown).toContain('**messaging-sandbox**|2,000/s|4.00 (2.00–6.00)|1.00 ms|10 ms|1.00 (1.00–1.00)|200 µs');
    expect(shown).toContain('**messaging-sandbox**|401|400|400|no answer');
    expect(shown).toContain('- Another: it could not be had.');
  });

  it('sets sends against the mocking tools that judge bodies, and against all of them', async () => {
    const shown = lines(await benchmarksPage([result('peers', 'v20.1.0', load)]));
    const judging = 'fastest of mocking tools that judge the body (prism) 100/s|20.00 (10.00–30.00)|≥ 2×: met';
    const all = 'fastest of all mocking tools (wiremock) 2,000/s|1.00 (0.50–1.50)|≥ 2×: **missed**';
    expect(shown).toContain(`sends|2,000/s|${judging}`);
    expect(shown).toContain(`sends|2,000/s|${all}`);
  });

  it('says of a rate that the generator limited that it could be more', async () => {
    const shown = lines(await benchmarksPage([result('peers', 'v20.1.0', load)]));
    expect(shown.find((line) => line.startsWith('Express, echo 5.0.0|≥ 500/s'))).toBeDefined();
  });

  it('tells what each server leaves out, and on what machine it was measured', async () => {
    const page = await benchmarksPage([result('peers', 'v20.1.0', load)]);
    expect(page).toContain('2 × Abacus 3000, 8 GB, Linux 6.1.');
    expect(page.replaceAll(/\s+/g, ' ')).toContain('2026-03-01, commit abc1234+, Node 20.1.0.');
    for (const name of ['express', 'prism']) {
      expect(page.replaceAll(/\s+/g, ' ')).toContain(peers.find((peer) => peer.name === name)!.leavesOut);
    }
  });

  it('warns of figures that were taken while the machine was busy', async () => {
    const quiet = result('advance', 'v20.1.0', { kind: 'rows', rows: [] });
    expect(await benchmarksPage([quiet])).not.toContain('was busy with other things');
    const busy = (await benchmarksPage([{ ...quiet, loadBefore: 7.25 }])).replaceAll(/\s+/g, ' ');
    expect(busy).toContain('**The machine was busy with other things** (load 7.3 on 2 cores)');
  });

  it('keeps the versions of Node apart, the older first', async () => {
    const rows: Findings = { kind: 'rows', rows: [{ what: 'x', unit: 'ms', values: [1] }] };
    const page = await benchmarksPage([result('advance', 'v24.1.0', rows), result('advance', 'v20.1.0', rows)]);
    const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toStrictEqual(['Moving the clock, Node 20', 'Moving the clock, Node 24']);
  });

  it('shows start, and a goal that is missed', async () => {
    const start = { readyMs: [300], firstAnswerMs: [400], suiteMs: [1000], idleMb: [95] };
    const findings: Findings = {
      kind: 'start',
      servers: [
        { name: 'ours', version: '', figures: start },
        {
          name: 'express',
          version: '5.0.0',
          figures: { readyMs: [200], firstAnswerMs: [200], suiteMs: [800], idleMb: [null] },
        },
        ...[3000, 2000].map((suiteMs, i) => ({
          name: ['mockoon', 'prism'][i] ?? '',
          version: '',
          figures: { readyMs: [1000], firstAnswerMs: [1000], suiteMs: [suiteMs], idleMb: [null] },
        })),
      ],
      left: [],
    };
    const shown = lines(await benchmarksPage([result('peers-start', 'v20.1.0', findings)]));
    expect(shown).toContain('spawn to ready|300 ms|Express echo 200 ms|1.50 (1.50–1.50)|≤ 2×: met');
    expect(shown).toContain('idle memory|95 MB|||≤ 90 MB: **missed**');
    expect(shown).toContain(
      'spawn to 2000 accepted sends|1000 ms|soonest of all mocking tools (prism) 2000 ms|0.50 (0.50–0.50)|≤ 0.5×: met',
    );
    expect(shown).toContain(
      'Express, echo 5.0.0|200 ms|1.00 (1.00–1.00)|200 ms|1.00 (1.00–1.00)|–|800 ms|1.00 (1.00–1.00)',
    );
  });

  it('shows lines that a measurement has put into words itself', async () => {
    const line = { what: 'a', measured: 'b', against: 'c', ratio: 'd' };
    const shown = lines(await benchmarksPage([result('growth', 'v20.1.0', { kind: 'rows', rows: [line] })]));
    expect(shown).toContain('a|b|c|d');
  });
});

describe('goals', () => {
  const sends = (nodeMajor: number) => loadGoals(load, nodeMajor).find(({ what }) => what === 'sends')!;

  it('ask more on the Node where Express is slower', () => {
    expect([sends(20).goal?.least, sends(22).goal?.least, sends(24).goal?.least]).toStrictEqual([1.5, 1.5, 0.77]);
  });

  it.each([
    [{ of: 'value', most: 2 }, [1, 2, 9], true],
    [{ of: 'value', most: 1.9 }, [1, 2, 9], false],
    [{ of: 'value', least: 2 }, [1, 2, 9], true],
    [{ of: 'ratio', least: 2 }, [1, 4, 9], true],
    [{ of: 'ratio', most: 1.1 }, [1, 4, 9], false],
  ] as const)('%o of %j: %s', (goal, values, met) => {
    expect(meets({ what: 'x', unit: 'ms', values, against: { what: 'y', values: [2, 2, 2] }, goal })).toBe(met);
  });

  it('are not met by what was not measured', () => {
    expect(meets({ what: 'x', unit: 'ms', values: [], goal: { of: 'value', most: 5 } })).toBe(false);
  });
});
