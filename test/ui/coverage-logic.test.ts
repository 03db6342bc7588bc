import { describe, expect, it } from 'vitest';
import { nextSpot } from '../../src/ui/page/panels/coverage/nearest.js';
import {
  groupsOf,
  headerIn,
  magicIn,
  matrixOf,
  percent,
  scenariosIn,
  shade,
} from '../../src/ui/page/panels/coverage/picture.js';

const item = (group: string, name: string, hits = 0) => ({ group, name, hits, hint: 'call it' });

describe('the picture', () => {
  it('has a group for each of the report, with what of it is covered', () => {
    const groups = groupsOf([item('a', 'x', 2), item('b', 'y'), item('a', 'z')]);
    expect(groups.map(({ name, items, covered }) => [name, items.length, covered])).toStrictEqual([
      ['a', 2, 1],
      ['b', 1, 0],
    ]);
  });

  it('has operations by status, with holes where none is documented', () => {
    const [send, get, refused] = [item('o', 'send 2xx'), item('o', 'get 2xx'), item('o', 'send 409')];
    expect(matrixOf([send, refused, get])).toStrictEqual({
      columns: ['2xx', '409'],
      rows: [
        { name: 'send', cells: [send, refused] },
        { name: 'get', cells: [get, null] },
      ],
    });
  });

  it.each([
    [0, 0],
    [1, 1],
    [3, 1],
    [4, 2],
    [16, 3],
    [99, 3],
    [100, 4],
    [1_000_000, 4],
  ])('%i hits have shade %i', (hits, expected) => {
    expect(shade(hits)).toBe(expected);
  });

  it.each([
    [0, 0, 100],
    [226, 227, 99],
    [113, 113, 100],
  ])('%i of %i are %i per cent', (covered, total, expected) => {
    expect(percent(covered, total)).toBe(expected);
  });
});

describe('a hint', () => {
  const known = ['otp-trouble', 'otp', 'rate-limited'];
  it.each([
    ['a number ending in 555 0162 locks after one wrong code; scenario otp-trouble', ['otp-trouble'], '62', null],
    ['X-Sandbox-Prefer: status=429, or scenario rate-limited', ['rate-limited'], null, 'X-Sandbox-Prefer: status=429'],
    [
      'A scenario limits the rate. Or X-Sandbox-Prefer: code=rate_limited',
      [],
      null,
      'X-Sandbox-Prefer: code=rate_limited',
    ],
    ['call it', [], null, null],
  ])('%s', (hint, scenarios, magic, header) => {
    expect([scenariosIn(hint, known), magicIn(hint), headerIn(hint)]).toStrictEqual([scenarios, magic, header]);
  });
});

describe('arrow keys', () => {
  const spots = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 0, y: 10 },
    { x: 30, y: 10 },
  ];
  it.each([
    ['ArrowRight', 0, 1],
    ['ArrowDown', 0, 2],
    ['ArrowUp', 3, 1],
    ['ArrowLeft', 3, 2],
    ['ArrowLeft', 0, -1],
    ['Enter', 0, -1],
  ])('%s from %i leads to %i', (key, from, to) => {
    expect(nextSpot(spots, from, key)).toBe(to);
  });
});
