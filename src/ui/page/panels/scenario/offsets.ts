/** Offsets of a scenario, such as `+1h30m`: from its activation on, on the account's clock. */
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** In milliseconds; null for other words, such as `finish`. */
export function offsetMs(offset: string): number | null {
  if (!/^\+?(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(offset)) return null;
  let total = 0;
  for (const [, amount, unit = ''] of offset.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    total += Number(amount) * (unitMs[unit] ?? 0);
  }
  return total;
}

export type StepState = 'done' | 'next' | 'planned';

/** How far a timeline has got: what is due by now is done, the first thing after that is next. */
export function stepStates(offsets: readonly string[], activatedAtMs: number, nowMs: number): StepState[] {
  const due = offsets.map((at) => activatedAtMs + (offsetMs(at) ?? 0));
  const next = Math.min(...due.filter((ms) => ms > nowMs));
  return due.map((ms) => (ms <= nowMs ? 'done' : ms === next ? 'next' : 'planned'));
}

export type CheckState = 'passed' | 'failed' | 'open';

/** The last of the offsets, in milliseconds; null where there is none: such a scenario has no end of its own. */
export function lastOffsetMs(offsets: readonly string[]): number | null {
  const known = offsets.map(offsetMs).filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/**
 * An expectation whose instant has not come is open, whatever there is by now. One for the end is open until it passes, or
 * until the scenario is over.
 *
 * @param lastMs of the scenario's offsets, from its activation on
 */
export function checkState(
  check: { readonly passed: boolean; readonly at: string },
  activatedAtMs: number,
  nowMs: number,
  lastMs: number | null,
): CheckState {
  const offset = offsetMs(check.at);
  if (offset !== null && activatedAtMs + offset > nowMs) return 'open';
  if (check.passed) return 'passed';
  return offset !== null || isOver(activatedAtMs, nowMs, lastMs) ? 'failed' : 'open';
}

/** Whether everything that the scenario does at an instant has come. */
export function isOver(activatedAtMs: number, nowMs: number, lastMs: number | null): boolean {
  return lastMs !== null && activatedAtMs + lastMs <= nowMs;
}
