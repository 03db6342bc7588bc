/** What the page computes without a document. */
import { describe, expect, it } from 'vitest';
import { moveOf } from '../../src/ui/page/shell/move.js';
import { LiveList, type PageQuery } from '../../src/ui/page/core/live-list.js';
import type { ActiveScenario, Attempt, Delivery, Endpoint, Otp, Verdict } from '../../src/ui/page/core/records.js';
import { repeating } from '../../src/ui/page/core/repeater.js';
import { blank, inboundOf, isReady, outboundOf } from '../../src/ui/page/places/conversations/drafts.js';
import { stateAt } from '../../src/ui/page/places/messages/words.js';
import { stateOf } from '../../src/ui/page/places/scenario/verdict.js';
import { groupsOf, retryWords } from '../../src/ui/page/places/webhooks/groups.js';
import { rewritten, signatureOf, verdictOf } from '../../src/ui/page/places/webhooks/signature.js';

const nineMs = Date.parse('2026-03-01T09:00:00Z');

/** A sandbox with rows up to `newest`, of which each call returns at most ten. */
function rowsUpTo(sandbox: { newest: number }) {
  return ({ before = Infinity }: PageQuery) => {
    const from = Math.min(sandbox.newest, before - 1);
    const items = Array.from({ length: Math.min(10, from) }, (_, at) => ({ seq: from - at }));
    return Promise.resolve({ items, next: from > 10 ? (items.at(-1)?.seq ?? null) : null });
  };
}

const seqs = (list: LiveList<{ seq: number }>) => list.rows.value?.map(({ seq }) => seq);
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => from - at);

describe('a list', () => {
  it('keeps the pages that were scrolled to, and adds what is new at the top', async () => {
    const sandbox = { newest: 35 };
    const list = new LiveList(rowsUpTo(sandbox));
    await list.refresh();
    await list.older();
    expect(seqs(list)).toStrictEqual(range(35, 16));
    sandbox.newest = 37;
    await list.refresh();
    expect(seqs(list)).toStrictEqual(range(37, 16));
    await list.older();
    await list.older();
    expect([seqs(list), list.more]).toStrictEqual([range(37, 1), false]);
  });

  it('leaves no gap after a flood: what it cannot join, it reads again when one scrolls there', async () => {
    const sandbox = { newest: 20 };
    const list = new LiveList(rowsUpTo(sandbox));
    await list.refresh();
    sandbox.newest = 90;
    await list.refresh();
    expect(seqs(list)).toStrictEqual(range(90, 81));
    await list.older();
    expect(seqs(list)).toStrictEqual(range(90, 71));
  });

  it('does not move what one reads further down', async () => {
    const sandbox = { newest: 40 };
    const list = new LiveList(rowsUpTo(sandbox));
    await list.refresh();
    await list.older();
    expect(list.look(12)).toBe(false);
    sandbox.newest = 60;
    await list.refresh();
    expect(seqs(list)?.[0]).toBe(40);
    expect(list.look(0)).toBe(true);
    await list.refresh();
    expect(seqs(list)?.[0]).toBe(60);
  });
});

describe('a repeated read', () => {
  it('is made once for many requests that come while it runs, and never twice at a time', async () => {
    let running = 0;
    const starts: number[] = [];
    const ends: (() => void)[] = [];
    const repeater = repeating(() => {
      running += 1;
      starts.push(running);
      return new Promise<void>((resolve) =>
        ends.push(() => {
          running -= 1;
          resolve();
        }),
      );
    }, 0);
    repeater.ask();
    for (let turn = 0; turn < 5; turn += 1) repeater.ask();
    expect(starts).toStrictEqual([1]);
    ends[0]?.();
    await expect.poll(() => starts.length).toBe(2);
    ends[1]?.();
    expect(starts).toStrictEqual([1, 1]);
    repeater.stop();
  });

  it('pauses afterwards, except for what the user has just done', async () => {
    let reads = 0;
    const repeater = repeating(() => Promise.resolve((reads += 1)), 600_000);
    repeater.ask();
    await expect.poll(() => reads).toBe(1);
    repeater.ask();
    repeater.ask(true);
    await expect.poll(() => reads).toBe(2);
    repeater.stop();
  });
});

describe('a move of the clock', () => {
  it.each([
    ['23h59m', { by: '23h59m' }],
    ['+2 hours 5 min', { by: '2h5m' }],
    ['18:30', { to: '2026-03-01T18:30:00.000Z' }],
    ['8:30', { to: '2026-03-02T08:30:00.000Z' }],
    ['2026-03-02 09:00', { to: '2026-03-02T09:00:00.000Z' }],
  ])('%s is understood', (typed, move) => {
    expect(moveOf(typed, nineMs)).toStrictEqual(move);
  });

  it.each([
    ['soon', 'Invalid time "soon". Expected a duration such as 23h59m'],
    ['2026-02-01', '2026-02-01 is in the past.'],
  ])('%s is not', (typed, words) => {
    expect(moveOf(typed, nineMs)).toContain(words);
  });
});

it('what the customer writes names no file where none is named, and a tap its button', () => {
  const to = '+12025550110';
  expect(inboundOf({ ...blank, type: 'image' }, to)).toStrictEqual({ from: to, type: 'image' });
  const tap = { ...blank, type: 'interactive' as const, text: 'Yes', buttonId: 'y' };
  expect(inboundOf(tap, to)).toStrictEqual({ from: to, type: 'interactive', interactive: { id: 'y', title: 'Yes' } });
  expect(isReady({ ...blank, text: ' ' }, [])).toBe(false);
});

it('what the business writes has no text with its media, which the service would ignore', () => {
  const written = { ...blank, side: 'business' as const, type: 'image' as const, url: 'https://a.b/c', text: 'Old' };
  expect(outboundOf(written, '+1', [])).toStrictEqual({ to: '+1', type: 'image', media_url: 'https://a.b/c' });
});

describe('a delivery', () => {
  const attempt = (number: number, trigger = 'schedule') => ({ number, trigger, at: '2026-03-01T09:00:00Z' });
  const delivery = (fields: object) => fields as unknown as Delivery;

  it.each([
    [1, 'Failed once, next 09:01:00, then +5 m, +30 m, hourly. The endpoint will be paused at 2 Mar 09:00:00.'],
    [2, 'Failed twice, next 09:01:00, then +30 m, hourly. The endpoint will be paused at 2 Mar 09:00:00.'],
    [5, 'Failed 5 times, next 09:01:00, then hourly. The endpoint will be paused at 2 Mar 09:00:00.'],
  ])('that failed %d times says what comes next', (count, words) => {
    const attempts = Array.from({ length: count }, (_, at) => attempt(at + 1)) as unknown as Attempt[];
    const row = delivery({ state: 'retrying', next_attempt_at: '2026-03-01T09:01:00Z', attempts });
    expect(retryWords(row, undefined, nineMs)).toBe(words);
  });

  it('that is held asks for no more than what is left to do', () => {
    const held = delivery({ state: 'held', next_attempt_at: null, attempts: [] });
    const words = (status: string) => retryWords(held, { status } as Endpoint, nineMs);
    expect(words('paused')).toBe('Held: the endpoint is paused. Resume it, then redeliver.');
    expect(words('active')).not.toContain('Resume');
  });

  it('starts its schedule again when it is redelivered', () => {
    const attempts = [attempt(1), attempt(2), attempt(3, 'redelivery')] as unknown as Attempt[];
    const row = delivery({ state: 'retrying', next_attempt_at: '2026-03-01T09:01:00Z', attempts });
    expect(retryWords(row, undefined, nineMs)).toContain('Failed once');
  });

  it('stands with those of the same event, the worst of them first', () => {
    const rows = [
      { id: 'c', event_id: '2', state: 'delivered' },
      { id: 'b', event_id: '1', state: 'delivered' },
      { id: 'a', event_id: '1', state: 'retrying' },
    ].map(delivery);
    expect(groupsOf(rows).map(({ at, all, worst }) => [at, all.length, worst.id])).toStrictEqual([
      [0, 1, 'c'],
      [1, 2, 'a'],
    ]);
  });

  it('has a signature over the bytes as sent', async () => {
    const signature = (await signatureOf('whsec_a', '{"a": 1}')) ?? '';
    expect(verdictOf(signature, signature)).toBe('matches');
    expect(verdictOf(signature, (await signatureOf('whsec_a', rewritten('{"a": 1}') ?? '')) ?? '')).toBe('differs');
    expect([verdictOf(null, signature), verdictOf('sha256=x', signature)]).toStrictEqual(['missing', 'malformed']);
    expect(rewritten('{"a":1}')).toBeNull();
  });
});

describe('a verdict', () => {
  const active = { activated_at: '2026-03-01T09:00:00Z', ends_at: '2026-03-01T10:00:00Z' };
  const verdict = (passed: readonly boolean[], at = 'finish') => ({
    passed: passed.every(Boolean),
    checks: passed.map((each) => ({ passed: each, at, that: 'messages' })),
  });
  const wordOf = (of: object, nowMs: number) =>
    stateOf(of as unknown as Verdict, active as unknown as ActiveScenario, nowMs).word;

  it.each([
    [verdict([true, false]), 0, 'running'],
    [verdict([true, false]), 3_600_000, 'failed'],
    [verdict([true, true]), 3_600_000, 'passed'],
    [verdict([false], '+30m'), 600_000, 'running'],
    [verdict([false], '+30m'), 1_800_000, 'failed'],
    [verdict([]), 0, 'no expectations'],
    [{ ...verdict([true]), passed: false, reason: 'no_calls' }, 3_600_000, 'failed'],
    [
      { passed: false, checks: [{ passed: false, at: 'finish', that: 'messages', records: [{ id: 'a' }] }] },
      0,
      'failed',
    ],
  ])('%j is, %d ms after the start, %s', (of, afterMs, word) => {
    expect(wordOf(of, nineMs + afterMs)).toBe(word);
  });
});

it('says that a code has expired, which no event reports', () => {
  const otp = { state: 'active', expires_at: '2026-03-01T09:05:00Z' } as Otp;
  expect([stateAt(otp, nineMs), stateAt(otp, nineMs + 300_000)]).toStrictEqual(['active', 'expired']);
});
