/** Verdicts that no failed check explains, in words and as JUnit. */
import { expect, it } from 'vitest';
import { junitOf, summaryOf } from '../../src/reports/verdict-formats.js';

it.each([
  ['no_calls', 'the application made no call', 'the application makes calls'],
  ['none_accepted', 'the application accepted no event', 'the application accepts events'],
] as const)('a verdict with the reason %s says it', (reason, summary, wanted) => {
  const checks = [{ passed: true, at: 'finish', that: 'sent', expected: 'exactly 0', found: '0 messages' }];
  const verdict = { account: 'a', scenario: 'story', passed: false, reason, note: 'Why.', checks };
  expect(summaryOf([verdict])).toBe(`failed: ${summary}`);
  expect(junitOf({ passed: false, accounts: [verdict] })).toContain(
    `name="${wanted}" time="0.000"><failure message="Why."`,
  );
});
