/** Offsets of a scenario, such as `+1h30m`: account time since its activation. */
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns milliseconds; null for other words, such as `finish`. */
export function offsetMs(offset: string): number | null {
  if (!/^\+?(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(offset)) return null;
  let total = 0;
  for (const [, amount, unit = ''] of offset.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    total += Number(amount) * (unitMs[unit] ?? 0);
  }
  return total;
}

export type StepState = 'done' | 'next' | 'planned';

/** Returns the state of each step: `done` if it is due by now, `next` for the first one after that. */
export function stepStates(offsets: readonly string[], activatedAtMs: number, nowMs: number): StepState[] {
  const due = offsets.map((at) => activatedAtMs + (offsetMs(at) ?? 0));
  const next = Math.min(...due.filter((ms) => ms > nowMs));
  return due.map((ms) => (ms <= nowMs ? 'done' : ms === next ? 'next' : 'planned'));
}

export type CheckState = 'passed' | 'failed' | 'open';

/** Returns the last offset, in milliseconds; null if there is none, because such a scenario has no fixed end. */
export function lastOffsetMs(offsets: readonly string[]): number | null {
  const known = offsets.map(offsetMs).filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/**
 * Returns the state of an expectation. It is open until its instant; one for the end is open until it passes or the
 * scenario is over.
 * @param lastMs the scenario's last offset, since its activation
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

/** Returns whether the last step of the scenario is due. */
export function isOver(activatedAtMs: number, nowMs: number, lastMs: number | null): boolean {
  return lastMs !== null && activatedAtMs + lastMs <= nowMs;
}
