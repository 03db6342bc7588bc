/** The state of a verdict and of its checks, by the account's time. */
import { durationMs } from '../../core/move.js';
import type { ActiveScenario, Noun, Verdict } from '../../core/records.js';

/** What can change a verdict. Another scenario has a verdict of its own. */
export const verdictNouns: readonly Noun[] = [
  'message',
  'request',
  'delivery',
  'attempt',
  'event',
  'template',
  'otp',
  'webhook',
  'expectation',
  'clock',
];

export type StepState = 'done' | 'next' | 'planned';

/** Returns the state of each step: `done` if it is due by now, `next` for the first one after that. */
export function stepStates(offsets: readonly string[], activatedAtMs: number, nowMs: number): StepState[] {
  const due = offsets.map((at) => activatedAtMs + (durationMs(at) ?? 0));
  const next = Math.min(...due.filter((ms) => ms > nowMs));
  return due.map((ms) => (ms <= nowMs ? 'done' : ms === next ? 'next' : 'planned'));
}

export type CheckState = 'passed' | 'failed' | 'open';

export interface VerdictState {
  readonly word: 'passed' | 'failed' | 'running' | 'no expectations';
  readonly tone: 'good' | 'bad' | 'wait' | 'off';
  readonly checks: readonly CheckState[];
}

/**
 * An expectation is open until its instant; one for the end is open until it passes or the last step of the scenario is
 * due.
 */
export function stateOf(verdict: Verdict, active: ActiveScenario, nowMs: number): VerdictState {
  const sinceMs = active.activated_at === null ? 0 : Date.parse(active.activated_at);
  const steps = (active.scenario?.['timeline'] ?? []) as readonly { readonly at: string }[];
  const offsets = [...steps, ...verdict.checks].map(({ at }) => durationMs(at)).filter((ms) => ms !== null);
  const isOver = offsets.length > 0 && sinceMs + Math.max(...offsets) <= nowMs;
  const checks = verdict.checks.map(({ at, passed }): CheckState => {
    const offset = durationMs(at);
    if (offset !== null && sinceMs + offset > nowMs) return 'open';
    if (passed) return 'passed';
    return offset !== null || isOver ? 'failed' : 'open';
  });
  if (checks.length === 0) return { word: 'no expectations', tone: 'off', checks };
  const isOpen = checks.includes('open');
  if (checks.includes('failed') || (verdict.reason !== undefined && !isOpen && isOver)) {
    return { word: 'failed', tone: 'bad', checks };
  }
  return verdict.passed && !isOpen
    ? { word: 'passed', tone: 'good', checks }
    : { word: 'running', tone: 'wait', checks };
}
