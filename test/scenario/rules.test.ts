import { describe, expect, it } from 'vitest';
import type { Decision } from '../../src/scenario/engine/effects.js';
import { compileRules } from '../../src/scenario/engine/rules.js';
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

  it('ignores a slot under the wrong hook', () => {
    const wrong = compileRules(
      loaded({ when: 'message.get', then: { otp: { attempts: 1 }, respond: { status: 500 } } }),
    );
    expect(Object.keys(wrong.decide(queryOf('message.get', {})))).toEqual(['respond']);
  });
});

describe('ranges', () => {
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
