import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { comparisonTable, isWorse, loss, type Pair } from '../../bench/compare/verdict.js';
import { withBuilt } from '../../bench/compare/worktree.js';

const rate = (head: number[]): Pair => ({ what: 'sends', unit: '/s', better: 'higher', base: [100, 200, 400], head });
const time = (head: number[]): Pair => ({ what: 'start', unit: 'ms', better: 'lower', base: [100, 100, 100], head });

describe('a comparison of two builds', () => {
  it('judges by the median of the ratios of the rounds', () => {
    expect(loss(rate([90, 180, 800]))).toBeCloseTo(0.1);
    expect(loss(rate([150, 300, 100]))).toBeCloseTo(-0.5);
    expect(loss(time([120, 80, 130]))).toBeCloseTo(0.2);
    expect(loss(time([80, 80, 300]))).toBeCloseTo(-0.2);
  });

  it('fails what is worse by more than the tolerance, and nothing else', () => {
    expect(isWorse(rate([89, 178, 356]), 0.1)).toBe(true);
    expect(isWorse(rate([95, 190, 380]), 0.1)).toBe(false);
    expect(isWorse(time([111, 111, 111]), 0.1)).toBe(true);
    expect(isWorse(time([50, 50, 50]), 0)).toBe(false);
    expect(isWorse({ ...time([900, 900, 900]), shownOnly: true }, 0.1)).toBe(false);
  });

  it('is told as a table', () => {
    const shown = comparisonTable([rate([50, 100, 200]), time([100, 100, 100])], 0.1).split('\n');
    expect(shown[2]).toBe('| sends | 200/s | 100/s | 0.50 (0.50–0.50) | **worse** |');
    expect(shown[3]).toBe('| start | 100 ms | 100 ms | 1.00 (1.00–1.00) | ok |');
    expect(comparisonTable([{ ...time([9, 9, 9]), shownOnly: true }], 0.1)).toContain('not judged');
  });

  it.each([['no-such-branch'], ['--help'], ['']])('refuses the base "%s" before it touches anything', async (base) => {
    const never = (folder: string): Promise<boolean> => Promise.resolve(existsSync(folder));
    await expect(withBuilt(base, never)).rejects.toThrow(`"${base}" is no commit, branch or tag of this repository`);
  });
});
