/** The report of a run: what ended it, and advice that fits. */
import { expect, it } from 'vitest';
import { runJunit, runLines } from '../../src/cli/run-report.js';
import type { Played } from '../../src/beside/result.js';
import type { VerdictCheck } from '../../src/stage/verdict.js';

const check = (parts: Partial<VerdictCheck>): VerdictCheck => ({
  ...{ passed: false, at: 'finish', that: 'messages', expected: 'exactly 2', found: '1 message' },
  ...parts,
});

function run(checks: readonly VerdictCheck[], parts: Partial<Played> = {}): Played {
  const verdict = { account: 'a', scenario: 'story', passed: false, checks, warnings: ['A step was skipped.'] };
  return {
    ...{ file: 'story.yaml', passed: false, reasons: [], verdicts: [verdict], impossible: [], warnings: [] },
    ...{ exitCode: null, callAfter: null, cutShort: null, durationMs: 2500 },
    ended: { at: '+5m', because: 'nothing was due', still_due: ['1 delivery attempt'], idle_real_ms: 650 },
    untilStep: '"/state#sent": 2',
    ...parts,
  };
}

const linesOf = (one: Played, given = new Set<string>()) =>
  runLines(one, { sourceOf: () => undefined, colour: false, given });
const advised = (one: Played, given?: Set<string>) => linesOf(one, given).filter((line) => line.includes('until:'));

it('advises to wait where something is missing, and only there', () => {
  const missing = check({ too_few: true });
  const step = '{ at: +5m, until: { "/state#sent": 2 } }';
  expect(advised(run([missing]))).toEqual([
    `  ! If the application was still at work, let the story wait for its work, with a step such as ${step}`,
  ]);
  const called = 'POST /v1/messages';
  expect(advised(run([missing], { callAfter: called }))).toEqual([
    `  ! The application called ${called} after the end: let the story wait for its work, with a step such as ${step}`,
  ]);
  expect(advised(run([check({ that: 'state of the application' })]))).toHaveLength(1);
  expect(advised(run([check({ found: '3 messages' })], { callAfter: called }))).toEqual([]);
  expect(advised(run([missing, check({ that: 'until the application has this state, within 30s' })]))).toEqual([]);
  const alone = { at: '+0s', because: 'nothing was due', still_due: [], idle_real_ms: null };
  expect(advised(run([missing], { ended: alone }))).toEqual([]);
});

it('gives the same advice once', () => {
  const given = new Set<string>();
  const missing = run([check({ too_few: true })]);
  expect([advised(missing, given).length, advised(missing, given).length]).toEqual([1, 0]);
});

it('says the records that failed, three of them in a terminal', () => {
  const said = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `m${index}`,
      text: `outbound text ${index}`,
      url: '',
      page: '/p',
    }));
  const recordsOf = (count: number) =>
    linesOf(run([check({ records: said(count) })])).filter(
      (line) => /outbound|and /.test(line) && !line.includes('ended'),
    );
  expect(recordsOf(2)).toEqual(['      records:  outbound text 0', '                outbound text 1']);
  expect(recordsOf(5).at(-1)).toBe('                and 2');
  expect(recordsOf(10).at(-1)).toBe('                and more');
});

it('writes the time, the end, the notes and the records as JUnit', () => {
  const records = [{ id: 'm1', text: 'outbound text to +1 at +5m: "Hi"', url: '', page: '' }];
  const xml = runJunit([run([check({ too_few: true, records })])], []);
  expect(xml).toContain('<testsuites tests="1" failures="1" skipped="0" time="2.500">');
  expect(xml).toContain('<testsuite name="story" tests="1" failures="1" skipped="0" time="2.500">');
  expect(xml).toContain(
    '<failure message="expected exactly 2; found 1 message">outbound text to +1 at +5m: &quot;Hi&quot;</failure>',
  );
  expect(xml).toMatch(
    /<system-out>A step was skipped\.&#10;ended at \+5m: nothing was due, and the application was idle for 600ms; still due: 1 delivery attempt&#10;If the application/,
  );
});
