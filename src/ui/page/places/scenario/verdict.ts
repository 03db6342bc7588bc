import type { ActiveScenario, Noun, Verdict } from '../../core/records.js';
import { durationMs } from '../../core/words.js';

/** Records that can change a verdict. Another scenario has another verdict. */
export const verdictNouns: readonly Noun[] = [
  ...(['message', 'request', 'delivery', 'attempt', 'event', 'template', 'otp', 'webhook'] as const),
  ...(['expectation', 'clock'] as const),
];

export type CheckState = 'passed' | 'failed' | 'open';

export interface VerdictState {
  readonly word: 'passed' | 'failed' | 'running' | 'no expectations';
  readonly tone: 'good' | 'bad' | 'wait' | 'off';
  readonly checks: readonly CheckState[];
}

/**
 * An expectation that has not passed is open until its instant; one for the end, until the scenario has ended. If records
 * violate it, it has failed already.
 */
export function stateOf(verdict: Verdict, active: ActiveScenario, nowMs: number): VerdictState {
  const sinceMs = Date.parse(active.activated_at ?? '');
  const endMs = Date.parse(active.ends_at ?? '');
  // Without a plan, it ends where it begins, and never is over.
  const isOver = endMs > sinceMs && endMs <= nowMs;
  const isDue = (at: string) => (at === 'finish' ? isOver : sinceMs + (durationMs(at) ?? 0) <= nowMs);
  const checks = verdict.checks.map(({ at, passed, records }) =>
    passed ? 'passed' : isDue(at) || records !== undefined ? 'failed' : 'open',
  );
  const isOpen = checks.includes('open');
  if (checks.length === 0) return { word: 'no expectations', tone: 'off', checks };
  if (checks.includes('failed') || (isOver && !isOpen && !verdict.passed))
    return { word: 'failed', tone: 'bad', checks };
  return verdict.passed && !isOpen
    ? { word: 'passed', tone: 'good', checks }
    : { word: 'running', tone: 'wait', checks };
}
