import { describe, expect, it } from 'vitest';
import { parseTask, UsageError } from '../../bench/support/options.js';

const known = ['peers', 'advance', 'rules'];

describe('the command line of the benchmarks', () => {
  it('is explained when nothing is asked, or when help is', () => {
    expect(parseTask([], known)).toStrictEqual({ do: 'help' });
    expect(parseTask(['advance', '--help'], known)).toStrictEqual({ do: 'help' });
  });

  it('takes names in the order of the page, and all of them', () => {
    expect(parseTask(['rules', 'peers'], known)).toStrictEqual({
      do: 'measure',
      names: ['peers', 'rules'],
      settings: { rounds: 5, seconds: 3, connections: 50, messages: 1_000_000, only: null },
      record: true,
      node: null,
    });
    expect(parseTask(['all'], known)).toMatchObject({ names: known });
  });

  it('takes settings, and a quick set of them that single flags override', () => {
    expect(parseTask(['all', '--rounds', '7', '--seconds', '0.5', '--connections', '8'], known)).toMatchObject({
      settings: { rounds: 7, seconds: 0.5, connections: 8 },
    });
    expect(parseTask(['all', '--quick', '--rounds', '4'], known)).toMatchObject({
      settings: { rounds: 4, seconds: 1, messages: 100_000 },
    });
    expect(parseTask(['all', '--quick', '--messages', '20000'], known)).toMatchObject({
      settings: { messages: 20_000 },
    });
  });

  it('keeps no results of a part of the servers', () => {
    expect(parseTask(['peers', '--only', 'ours,express'], known)).toMatchObject({
      record: false,
      settings: { only: ['ours', 'express'] },
    });
    expect(parseTask(['peers', '--no-record'], known)).toMatchObject({ record: false });
  });

  it('compares with a base, within a tolerance', () => {
    expect(parseTask(['--compare', 'main', '--node', 'n24'], known)).toMatchObject({
      do: 'compare',
      base: 'main',
      tolerance: 0.1,
      node: 'n24',
    });
    expect(parseTask(['--compare', 'main', '--tolerance', '2.5%'], known)).toMatchObject({ tolerance: 0.025 });
  });

  it.each([
    [['peer'], 'No measurement is named peer; there are all, peers, advance, rules.'],
    [['--quick'], 'Say what to measure: all, peers, advance, rules.'],
    [['all', '--rounds', '2.5'], '--rounds takes a whole number above 0, found "2.5".'],
    [['all', '--rounds', '0'], '--rounds takes a whole number above 0, found "0".'],
    [['all', '--messages', '1500'], '--messages takes whole thousands, found "1500".'],
    [['all', '--seconds', 'soon'], '--seconds takes a number above 0, found "soon".'],
    [['all', '--seconds', ''], '--seconds takes a number above 0, found "".'],
    [['all', '--tolerance', '5%'], '--tolerance belongs to --compare BASE.'],
    [['--compare', 'main', '--tolerance', '5'], '--tolerance takes a percentage such as 10%, found "5".'],
    [['advance', '--compare', 'main'], '--compare measures what it needs; leave out advance.'],
    [['--compare', 'main', '--only', 'ours'], '--compare has two servers of its own; leave out --only.'],
    [['all', '--fast'], "Unknown option '--fast'"],
  ])('refuses %j', (args, message) => {
    expect(() => parseTask(args, known)).toThrow(UsageError);
    expect(() => parseTask(args, known)).toThrow(message);
  });
});
