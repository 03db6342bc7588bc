import { expect, it } from 'vitest';
import { figureTable, median, percentile, ratiosOf, spread } from '../../bench/table.js';

it('takes medians, percentiles and ratios of rounds', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([])]).toStrictEqual([2, 2.5, Number.NaN]);
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  expect([percentile(hundred, 99), percentile([5], 99), percentile([], 50)]).toStrictEqual([99, 5, Number.NaN]);
  expect(spread(ratiosOf([2, 6, 3], [1, 2, 4]))).toBe('2.00 (0.75–3.00)');
});

it('says of each goal whether it is met, by the ratio or by the value', () => {
  const against = { what: 'echo', values: [1_000, 1_000] };
  const page = figureTable([
    { what: 'sends', unit: '/s', values: [1_600, 1_800], against, goal: { least: 1.5 } },
    { what: 'slow sends', unit: '/s', values: [900, 1_100], against, goal: { least: 1.5 } },
    { what: 'start', unit: 'ms', values: [160], goal: { most: 150, of: 'value' } },
    { what: 'import', unit: 'ms', values: [5] },
  ]);
  expect(page.split('\n').slice(2)).toStrictEqual([
    '| sends | 1,700/s (1,600/s–1,800/s) | echo 1,000/s | 1.70 (1.60–1.80) | ≥ 1.5×: met |',
    '| slow sends | 1,000/s (900/s–1,100/s) | echo 1,000/s | 1.00 (0.90–1.10) | ≥ 1.5×: **missed** |',
    '| start | 160 ms |  |  | ≤ 150 ms: **missed** |',
    '| import | 5.00 ms |  |  |  |',
  ]);
});
