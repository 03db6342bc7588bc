import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/scenario/engine/effects.js';
import { compileRules, decideAcross } from '../../src/scenario/engine/rules.js';
import type { Rule } from '../../src/scenario/schema/rule.js';
import { loaded, memoryCounters, queryOf } from './fixtures.js';

const ids = (decision: Decision) =>
  Object.fromEntries(Object.entries(decision).map(([slot, winner]) => [slot, winner.explain.id]));

describe('slot by slot', () => {
  const rules = compileRules(
    loaded(
      { id: 'a', when: 'message.send', match: { phone: '+1415*' }, then: { lifecycle: 'blocked' } },
      { id: 'b', when: 'message.send', then: { respond: { status: 503 }, lifecycle: 'happy' } },
      { id: 'c', when: 'message.send', then: { inbound: { text: 'OK' }, respond: { status: 500 } } },
      { id: 'd', when: 'otp.send', then: { respond: { status: 501 } } },
    ),
  );

  it('gives each slot to the first rule that fits, and lets the others keep looking', () => {
    expect(ids(rules.decide(queryOf('message.send', { phone: '+14155550100' })))).toEqual({
      lifecycle: 'a',
      respond: 'b',
      inbound: 'c',
    });
    expect(ids(rules.decide(queryOf('message.send', { phone: '+12025550100' })))).toEqual({
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
        match: { phone: '*' },
        then: { respond: { status: 429, retry_after: '2s', latency_real: '1m' } },
      }),
    ).decide(queryOf('message.send', { phone: '+12025550100' }));
    expect(respond).toEqual({
      effect: { status: 429, headers: {}, accept: false, retryAfterMs: 2000, latencyRealMs: 60_000 },
      explain: { by: 'rule', id: 'x', file: 'test.yaml', line: 1, text: 'Rule x matches by phone.' },
      key: 'rule/x/message.send/account',
      per: 'account',
    });
  });

  it('ignores a slot under the wrong hook', () => {
    const wrong = compileRules(
      loaded({ when: 'message.get', then: { otp: { attempts: 1 }, respond: { status: 500 } } }),
    );
    expect(Object.keys(wrong.decide(queryOf('message.get', {})))).toEqual(['respond']);
  });
});

describe('precedence', () => {
  it('keeps the counts of equal ids in two scopes apart', () => {
    const counters = memoryCounters();
    const rule: Rule = { id: 'same', when: 'message.send', pick: { calls: 1 }, then: { lifecycle: 'happy' } };
    const layers = [compileRules(loaded(rule), { scope: 'runtime' }), compileRules(loaded(rule))];
    const ask = () => decideAcross(layers, queryOf('message.send', {}, { counters })).lifecycle?.key;
    expect([ask(), ask(), ask()]).toEqual(['runtime/same/message.send/account', undefined, undefined]);
    expect([...counters.counts.entries()].map(([key, count]) => `${key} ${count}`)).toEqual([
      'runtime/same/message.send/count/account 3',
      'rule/same/message.send/count/account 3',
    ]);
  });
});

describe('ranges', () => {
  it('are drawn by seed, rule, recipient and count, and stay within their ends', () => {
    const rules = compileRules(
      loaded({ when: 'message.send', then: { lifecycle: [{ sent: '2s..8s' }, { read: '1h..2h' }] } }),
    );
    const plan = (to: string, counters = memoryCounters(), seed = 1) =>
      rules
        .decide(queryOf('message.send', { phone: to }, { counters, seed }))
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
      queryOf('message.send', { phone: '+1' }, { counters }),
    );
    expect(counters.counts.size).toBe(0);
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
});

describe('cost', () => {
  it('asks a rule of another hook nothing at all', () => {
    const counters = memoryCounters();
    const others: Rule[] = Array.from({ length: 200 }, (_, i) => ({
      when: i % 2 === 0 ? 'otp.send' : 'otp.verify',
      pick: { calls: 1 },
      then: i % 2 === 0 ? { otp: { attempts: 1 } } : { respond: { status: 503 } },
    }));
    const rules = compileRules(loaded({ when: 'message.send', then: { lifecycle: 'happy' } }, ...others));
    rules.decide(queryOf('message.send', {}, { counters }));
    expect(counters.counts.size).toBe(0);
  });
});
