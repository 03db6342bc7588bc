import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMatch } from '../../src/scenario/engine/matchers.js';
import { RuleIndex } from '../../src/scenario/engine/rule-index.js';
import { compileRules, type RuleSet } from '../../src/scenario/engine/rules.js';
import type { Facts, Hook } from '../../src/scenario/language/hooks.js';
import type { LoadedRule, Rule } from '../../src/scenario/language/rule-schema.js';
import type { Match, Matcher } from '../../src/scenario/language/match-schema.js';
import { loaded, memoryCounters, queryOf } from './fixtures.js';

// Few values, near each other: rules and calls meet often, and whole texts, beginnings and regexes overlap.
const numbers = ['+12025550101', '+12025550102', '+14155550101', '+1', '4xx', '404', '/a/', '/a*/', ''];
const texts = ['promo_a', 'promo_ab', 'promo', 'PROMO_AB', 'p', 'text', 'template'];
const hooks: Hook[] = ['message.send', 'template.create', 'template.review'];

const globs = ['+1*', '+1202*', '*0101', '*', '**', '+1*0101', 'promo_*', 'p*_*b', '*omo*b'];
const regexes = ['/0101$/', '/PROMO/i', '/a*/', '/^(promo|temp)_?/', '/O_(a|AB)/i', '/01|/', '/[p-t]r?/'];
const plain = fc.constantFrom(...numbers, ...texts, ...globs, ...regexes, '4xx');
const matcher: fc.Arbitrary<Matcher> = fc.oneof(
  { weight: 4, arbitrary: plain },
  { weight: 2, arbitrary: fc.array(plain, { minLength: 1, maxLength: 3 }) },
  fc.record({ equals: fc.constantFrom(...numbers, ...texts) }),
  fc.record({ equals: fc.constantFrom(...texts), missing: fc.boolean() }),
  fc.record({ any: fc.array(plain, { minLength: 1, maxLength: 3 }) }),
  fc.record({ any: fc.tuple(plain, fc.record({ missing: fc.boolean() })) }),
  fc.record({ contains: fc.constantFrom('01', 'promo', '') }),
  fc.record({ contains: fc.constantFrom('01', 'promo'), not: plain }),
  fc.record({ contains: fc.constantFrom('01', 'promo'), any: fc.array(plain, { minLength: 1, maxLength: 2 }) }),
  fc.record({ matches: fc.constantFrom('omo', '/OMO_/i', '^promo|01$', 'a*', '/01/') }),
  fc.record({ not: plain }),
);
const flatMatch = fc.record(
  {
    to: matcher,
    template: matcher,
    type: matcher,
    name: matcher,
    path: matcher,
    status: matcher,
    text: matcher,
    account: matcher,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Match>;
const match = fc.oneof(
  { weight: 4, arbitrary: flatMatch },
  fc.tuple(flatMatch, flatMatch).map(([one, other]): Match => ({ ...one, not: other })),
  fc
    .tuple(flatMatch, fc.array(flatMatch, { minLength: 1, maxLength: 2 }))
    .map(([one, any]): Match => ({ ...one, any })),
);
const value = fc.constantFrom(...numbers, ...texts);
const facts = fc.record(
  {
    to: value,
    template: value,
    type: value,
    name: value,
    path: value,
    status: fc.oneof(value, fc.constantFrom(404, 503)),
    text: value,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Facts>;

const rule = fc.record(
  {
    when: fc.constantFrom(...hooks),
    match,
    pick: fc.constantFrom(
      { first: 2 },
      { nth: 2 },
      { every: 2 },
      { after: 1 },
      { chance: '50%' },
      { every: 2, chance: '50%' },
    ),
    per: fc.constantFrom('account' as const, 'recipient' as const, 'template' as const),
    active: fc.constantFrom({ to: '5ms' }, { from: '3ms' }),
    then: fc.constantFrom<Rule['then']>(
      { respond: { status: 503 } },
      { limit: { rate: '1/s' } },
      { refuse: { code: 'unknown_error' }, lifecycle: [{ sent: '1s..9s' }] },
      { review: { approve: true, after: '1s..9s' }, respond: { status: 500 } },
    ),
  },
  { requiredKeys: ['when', 'then'] },
) as fc.Arbitrary<Rule>;

/** Says the same where no index can look. */
function unindexed(one: LoadedRule): LoadedRule {
  return one.match === undefined ? one : { ...one, match: { any: [one.match] } };
}

describe('the index', () => {
  it('leaves out no rule that fits, gives each once, and keeps the order', () => {
    fc.assert(
      fc.property(fc.array(match, { maxLength: 12 }), facts, (matches, found) => {
        const index = new RuleIndex(matches, (one) => one);
        const candidates = index.candidates(found);
        expect(candidates).toEqual(matches.filter((one) => candidates.includes(one)));
        const fitting = (all: readonly Match[]) => all.filter((one) => compileMatch(one)(found, 'key'));
        expect(fitting(candidates)).toEqual(fitting(matches));
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[string, Match, Facts]>([
    ['another number', { to: '+12025550101' }, { to: '+12025550102' }],
    ['another beginning', { to: '+1202*' }, { to: '+14155550101' }],
    ['none of a list', { to: ['+1202*', '+14155550101'] }, { to: '+14155550102' }],
    ['a fact the call has not got', { template: 'promo_a' }, { to: '+12025550101' }],
    ['another text by equals', { template: { equals: 'a*b' } }, { template: 'axb' }],
    ['a number for a text', { status: '503' }, { status: 404 }],
    ['another end', { to: '*0101' }, { to: '+12025550102' }],
    ['a word that the text has not', { text: { contains: 'refund' } }, { text: 'Your order left' }],
    ['an expression whose word the text has not', { text: '/\\brefund \\d+/i' }, { text: 'Your order left' }],
    ['an expression with words the body has not', { body: { matches: 'late|lost' } }, { body: 'Your order left' }],
  ])('does not ask a rule that names %s', (_name, one, call) => {
    expect(new RuleIndex([one], (same) => same).candidates(call)).toEqual([]);
  });

  it('asks a rule whose word is there in another case when the expression says that case is nothing', () => {
    const matches: Match[] = [{ text: '/refund/i' }, { text: '/refund/' }];
    expect(new RuleIndex(matches, (one) => one).candidates({ text: 'REFUND!' })).toEqual([{ text: '/refund/i' }]);
  });

  it('looks at no text that has to be worked out for rules that can be told by something else', () => {
    const index = new RuleIndex<Match>([{ to: '+1*' }, { text: 'x', to: '+2*' }, { text: '/a*/' }], (one) => one);
    const call = {
      to: '+12025550101',
      get text(): string {
        throw new Error('looked at');
      },
    };
    expect(index.candidates(call)).toEqual([{ to: '+1*' }, { text: '/a*/' }]);
  });
});

describe('a decision by index', () => {
  it('is the one that asking every rule comes to: slots, effects, counts and buckets, call after call', () => {
    const calls = fc.array(
      fc.record({
        hook: fc.constantFrom<Hook>('message.send', 'template.create', 'template.review'),
        facts,
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 10 }), calls, (rules, asked) => {
        const played = (set: RuleSet) => {
          const counters = memoryCounters();
          const decisions = asked.map((call, nowMs) =>
            Object.entries(
              set.decide(queryOf(call.hook, call.facts, { counters, nowMs, account: 'key', seed: 7 })),
            ).map(([slot, { effect, key, explain }]) => [slot, effect, key, explain.id]),
          );
          return { decisions, counts: [...counters.counts] };
        };
        const all = loaded(...rules);
        expect(played(compileRules(all))).toEqual(played(compileRules(all.map(unindexed))));
      }),
      { numRuns: 1000 },
    );
  });
});
