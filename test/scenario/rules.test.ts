import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/scenario/engine/effects.js';
import { compileRules, decideAcross } from '../../src/scenario/engine/rules.js';
import type { Pick, Rule } from '../../src/scenario/language/rules.js';
import { loaded, memoryCounters, queryOf } from './fixtures.js';
import { cases } from '../support/property.js';

const ids = (decision: Decision) =>
  Object.fromEntries(Object.entries(decision).map(([slot, winner]) => [slot, winner.explain.id]));

describe('slot by slot', () => {
  const rules = compileRules(
    loaded(
      { id: 'a', when: 'message.send', match: { to: '+1415*' }, then: { lifecycle: 'blocked' } },
      { id: 'b', when: 'message.send', then: { respond: { status: 503 }, lifecycle: 'happy' } },
      { id: 'c', when: 'message.send', then: { inbound: { text: 'OK' }, respond: { status: 500 } } },
      { id: 'd', when: 'otp.send', then: { respond: { status: 501 } } },
    ),
  );

  it('gives each slot to the first rule that fits, and lets the others keep looking', () => {
    expect(ids(rules.decide(queryOf('message.send', { to: '+14155550100' })))).toEqual({
      lifecycle: 'a',
      respond: 'b',
      inbound: 'c',
    });
    expect(ids(rules.decide(queryOf('message.send', { to: '+12025550100' })))).toEqual({
      lifecycle: 'b',
      respond: 'b',
      inbound: 'c',
    });
    expect(ids(rules.decide(queryOf('otp.send', {})))).toEqual({ respond: 'd' });
    expect(rules.decide(queryOf('message.get', {}))).toEqual({});
  });

  it('hands out effects in milliseconds and says who decided where', () => {
    const { respond } = compileRules(
      loaded({
        id: 'x',
        when: 'message.send',
        match: { to: '*' },
        then: { respond: { status: 429, retry_after: '2s', latency_real: '1m' } },
      }),
    ).decide(queryOf('message.send', { to: '+12025550100' }));
    expect(respond).toEqual({
      effect: { status: 429, headers: {}, accept: false, retryAfterMs: 2000, latencyRealMs: 60_000 },
      explain: { by: 'rule', id: 'x', file: 'test.yaml', line: 1, text: 'Rule x matches by to.' },
      key: 'rule/x/account',
      per: 'account',
    });
  });

  it('ignores a slot under the wrong hook', () => {
    const wrong = compileRules(
      loaded({ when: 'message.get', then: { otp: { attempts: 1 }, respond: { status: 500 } } }),
    );
    expect(Object.keys(wrong.decide(queryOf('message.get', {})))).toEqual(['respond']);
  });

  it('asks for a review when there is one, and keeps the order of the file across both hooks that may decide it', () => {
    const review = compileRules(
      loaded(
        { id: 'first', when: 'template.review', match: { name: 'a*' }, then: { review: { never: true } } },
        { id: 'second', when: 'template.create', then: { review: { approve: true } } },
      ),
    );
    expect(review.decide(queryOf('template.create', { name: 'ab' }))).toEqual({});
    expect(ids(review.decide(queryOf('template.review', { name: 'ab' })))).toEqual({ review: 'first' });
    expect(ids(review.decide(queryOf('template.review', { name: 'b' })))).toEqual({ review: 'second' });
  });

  it('asks api.any rules that name a status after the answer, the others before', () => {
    const any = compileRules(
      loaded(
        { id: 'after', when: 'api.any', match: { status: '2xx' }, then: { respond: { status: 500 } } },
        { id: 'before', when: 'api.any', match: { path: '/v1/messages' }, then: { respond: { latency_real: '1s' } } },
      ),
    );
    expect(ids(any.decide(queryOf('api.any', { path: '/v1/messages' })))).toEqual({ respond: 'before' });
    expect(ids(any.decide(queryOf('api.any', { path: '/v1/messages', status: 200 })))).toEqual({ respond: 'after' });
  });
});

describe('precedence', () => {
  it('asks the layers in order and lets later ones fill what is open', () => {
    const layer = (id: string, rule: Omit<Rule, 'when'>) => compileRules(loaded({ id, when: 'message.send', ...rule }));
    const decision = decideAcross(
      [
        null,
        layer('runtime', { then: { lifecycle: 'stuck' } }),
        layer('scenario', { then: { lifecycle: 'happy', inbound: { text: 'a' } } }),
        undefined,
        layer('magic', { then: { inbound: { text: 'b' }, window: 'open' } }),
      ],
      queryOf('message.send', {}),
    );
    expect(ids(decision)).toEqual({ lifecycle: 'runtime', inbound: 'scenario', window: 'magic' });
  });

  it('counts a rule only when it is reached', () => {
    const counters = memoryCounters();
    const scenario = compileRules(
      loaded({ id: 's', when: 'message.send', pick: { nth: 2 }, then: { lifecycle: 'stuck' } }),
    );
    const runtime = compileRules(
      loaded({ id: 'r', when: 'message.send', pick: { first: 3 }, then: { lifecycle: 'happy' } }),
      { scope: 'runtime' },
    );
    const ask = () => ids(decideAcross([runtime, scenario], queryOf('message.send', {}, { counters })));
    expect([ask(), ask(), ask(), ask(), ask(), ask()]).toEqual([
      { lifecycle: 'r' },
      { lifecycle: 'r' },
      { lifecycle: 'r' },
      {},
      { lifecycle: 's' },
      {},
    ]);
  });

  it('keeps the counts of equal ids in two scopes apart', () => {
    const counters = memoryCounters();
    const rule: Rule = { id: 'same', when: 'message.send', pick: { first: 1 }, then: { lifecycle: 'happy' } };
    const layers = [compileRules(loaded(rule), { scope: 'runtime' }), compileRules(loaded(rule))];
    const ask = () => decideAcross(layers, queryOf('message.send', {}, { counters })).lifecycle?.key;
    expect([ask(), ask(), ask()]).toEqual(['runtime/same/account', 'rule/same/account', undefined]);
  });
});

describe('pick', () => {
  const struck = (pick: Pick, times = 10) => {
    const rules = compileRules(loaded({ when: 'message.send', pick, then: { lifecycle: 'stuck' } }));
    const counters = memoryCounters();
    return Array.from({ length: times }, (_, i) => i + 1).filter(
      () => rules.decide(queryOf('message.send', { to: '+12025550100' }, { counters })).lifecycle !== undefined,
    );
  };

  it.each<[Pick, number[]]>([
    [{ first: 2 }, [1, 2]],
    [{ nth: 3 }, [3]],
    [{ every: 4 }, [4, 8]],
    [{ after: 8 }, [9, 10]],
    [{ between: [2, 4] }, [2, 3, 4]],
    [{ after: 2, every: 3 }, [3, 6, 9]],
    [{ chance: '0%' }, []],
    [{ chance: '100%' }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [{ chance: '100%', nth: 2 }, [2]],
  ])('%j strikes %j', (pick, expected) => {
    expect(struck(pick)).toEqual(expected);
  });

  it('lets a rule that passes fall through to the next', () => {
    const rules = compileRules(
      loaded(
        { id: 'a', when: 'message.send', pick: { every: 2 }, then: { lifecycle: 'stuck' } },
        { id: 'b', when: 'message.send', then: { lifecycle: 'happy' } },
      ),
    );
    const counters = memoryCounters();
    const ask = () => rules.decide(queryOf('message.send', {}, { counters })).lifecycle?.explain;
    expect([ask()?.id, ask()?.id, ask()?.id]).toEqual(['b', 'a', 'b']);
    expect(ask()?.text).toBe('Rule a matches every call; number 4 of this account, picked by every 2.');
  });

  it.each([
    ['recipient', { to: '+1' }, { to: '+2' }],
    ['template', { template: 'a' }, { template: 'b' }],
    ['endpoint', { endpoint: 'https://a' }, { endpoint: 'https://b' }],
  ] as const)('counts per %s', (per, one, other) => {
    const hook = per === 'endpoint' ? 'webhook.deliver' : 'message.send';
    const then = per === 'endpoint' ? { webhook: { drop: true } } : { lifecycle: 'stuck' };
    const rules = compileRules(loaded({ when: hook, pick: { first: 1 }, per, then }));
    const counters = memoryCounters();
    const ask = (facts: object) => Object.keys(rules.decide(queryOf(hook, facts, { counters }))).length;
    expect([ask(one), ask(one), ask(other), ask(other)]).toEqual([1, 0, 1, 0]);
  });

  it('chooses the same victims by chance in any order of requests, about as many as asked', () => {
    const rules = compileRules(loaded({ when: 'message.send', pick: { chance: '10%' }, then: { lifecycle: 'stuck' } }));
    const victims = (order: readonly string[], seed: number) => {
      const counters = memoryCounters();
      return order.filter(
        (to) => rules.decide(queryOf('message.send', { to }, { counters, seed })).lifecycle !== undefined,
      );
    };
    const phones = Array.from({ length: 1000 }, (_, i) => `+1202555${String(i).padStart(4, '0')}`);
    const expected = victims(phones, 42);
    expect(expected.length).toBeGreaterThan(70);
    expect(expected.length).toBeLessThan(130);
    fc.assert(
      fc.property(fc.shuffledSubarray(phones, { minLength: 1000 }), (order) => {
        expect(new Set(victims(order, 42))).toEqual(new Set(expected));
      }),
      { seed: 4, numRuns: cases(5) },
    );
    expect(victims(phones, 43)).not.toEqual(expected);
  });

  it('chooses anew for the next message to the same recipient', () => {
    expect(struck({ chance: '50%' }, 40).length).toBeGreaterThan(8);
    expect(struck({ chance: '50%' }, 40).length).toBeLessThan(32);
  });
});

describe('ranges', () => {
  it('are drawn by seed, rule, recipient and count, and stay within their ends', () => {
    const rules = compileRules(
      loaded({ when: 'message.send', then: { lifecycle: [{ sent: '2s..8s' }, { read: '1h..2h' }] } }),
    );
    const plan = (to: string, counters = memoryCounters(), seed = 1) =>
      rules
        .decide(queryOf('message.send', { to }, { counters, seed }))
        .lifecycle!.effect.map(({ offsetMs }) => offsetMs);
    expect(plan('+1')).toEqual(plan('+1'));
    expect(plan('+1')).not.toEqual(plan('+2'));
    expect(plan('+1')).not.toEqual(plan('+1', memoryCounters(), 2));
    const counters = memoryCounters();
    expect(plan('+1', counters)).not.toEqual(plan('+1', counters));
    for (let i = 0; i < 100; i += 1) {
      const [sent = 0, read = 0] = plan(`+${i}`);
      expect(sent).toBeGreaterThanOrEqual(2000);
      expect(sent).toBeLessThanOrEqual(8000);
      expect(read).toBeGreaterThanOrEqual(3_600_000);
    }
  });

  it('leaves no counter behind where nothing is counted or drawn', () => {
    const counters = memoryCounters();
    compileRules(loaded({ when: 'message.send', then: { lifecycle: 'happy' } })).decide(
      queryOf('message.send', { to: '+1' }, { counters }),
    );
    expect(counters.counts.size).toBe(0);
  });
});

describe('active', () => {
  it('includes its beginning and not its end, counted from activation', () => {
    const rules = compileRules(
      loaded({ when: 'message.send', active: { from: '+1h', to: '+25h' }, then: { lifecycle: 'stuck' } }),
    );
    const at = (hours: number) => {
      const nowMs = 5_000_000 + hours * 3_600_000;
      return rules.decide(queryOf('message.send', {}, { nowMs, activationMs: 5_000_000 })).lifecycle !== undefined;
    };
    expect([at(0), at(0.999), at(1), at(24.999), at(25)]).toEqual([false, false, true, true, false]);
  });
});

describe('effects of each slot', () => {
  const decide = (rule: Rule) => compileRules(loaded(rule)).decide(queryOf(rule.when, {}));

  it.each([
    [{ latency_real: '1s' }, true],
    [{ fault_real: 'truncate' }, true],
    [{ fault_real: 'garbage' }, true],
    [{ fault_real: 'reset' }, false],
    [{ fault_real: 'hang' }, false],
    [{ fault_real: 'hang', accept: true }, true],
    [{ status: 500 }, false],
    [{ status: 500, accept: true }, true],
    [{ status: 202 }, true],
    [{ status: 202, body: {} }, false],
    [{ status: 302 }, false],
    [{ headers: { 'X-A': 'b' } }, true],
    [{ latency_real: '1s', accept: false }, false],
  ] as const)('respond %j: the operation happens: %j', (respond, accept) => {
    expect(decide({ when: 'message.send', then: { respond } }).respond?.effect.accept).toBe(accept);
  });

  it('refuse, as a slot or inside respond, carries the sentence and number of a failure', () => {
    const effect = {
      code: 'undeliverable',
      channelCode: 131026,
      message: expect.stringMatching(/channel\.$/) as string,
    };
    const asSlot = decide({ when: 'message.send', then: { refuse: { code: 'undeliverable' } } });
    const inside = decide({ when: 'message.send', then: { respond: { refuse: { code: 'undeliverable' } } } });
    expect(asSlot.refuse?.effect).toEqual(effect);
    expect(inside.refuse?.effect).toEqual(effect);
    expect(inside.respond).toBeUndefined();
    expect(decide({ when: 'message.send', then: { refuse: {} } }).refuse?.effect).toEqual({
      code: 'send_failed',
      message: 'The message was rejected.',
    });
  });

  it('review', () => {
    const then = {
      review: {
        reject: true,
        after: '2h',
        reason: 'No.',
        event_lag: '30m',
        later: [{ deleted: '3d' }, { paused: '1d' }],
      },
    } as const;
    expect(
      decide({ when: 'template.review', then: { review: { ...then.review, later: [...then.review.later] } } }).review
        ?.effect,
    ).toEqual({
      decision: 'rejected',
      afterMs: 7_200_000,
      reason: 'No.',
      eventLagMs: 1_800_000,
      later: [
        { status: 'paused', afterMs: 86_400_000 },
        { status: 'deleted', afterMs: 259_200_000 },
      ],
    });
  });

  it('webhook, with everything else at rest', () => {
    expect(
      decide({ when: 'webhook.deliver', then: { webhook: { receiver: { simulate: 500 } } } }).webhook?.effect,
    ).toEqual({
      duplicate: 0,
      delayMs: 0,
      drop: false,
      contacted: false,
      forgedCopy: null,
      holdUntil: null,
      signature: 'valid',
      body: 'exact',
      simulate: 500,
    });
  });

  it('otp, limit, inbound and window', () => {
    expect(
      decide({ when: 'otp.send', then: { otp: { code: '042042', attempts: 3, expires: '30s' } } }).otp?.effect,
    ).toEqual({
      code: '042042',
      attempts: 3,
      expiresMs: 30_000,
    });
    const send = decide({
      when: 'message.send',
      then: { limit: { rate: '80/s' }, inbound: { after: '90s', button: 2 }, window: 'closed' },
    });
    expect(send.limit?.effect).toEqual({ tokens: 80, perMs: 1000, burst: 80 });
    expect(send.inbound?.effect).toEqual({ afterMs: 90_000, button: 2 });
    expect(send.window?.effect).toBe('closed');
  });
});

describe('cost', () => {
  it('asks a rule of another hook, or one whose slots are taken, nothing at all', () => {
    const counters = memoryCounters();
    const others: Rule[] = Array.from({ length: 200 }, (_, i) => ({
      when: i % 2 === 0 ? 'otp.send' : 'message.send',
      pick: { first: 1 },
      then: i % 2 === 0 ? { otp: { attempts: 1 } } : { lifecycle: 'stuck' },
    }));
    const rules = compileRules(loaded({ when: 'message.send', then: { lifecycle: 'happy' } }, ...others));
    rules.decide(queryOf('message.send', {}, { counters }));
    expect(counters.counts.size).toBe(0);
  });
});
