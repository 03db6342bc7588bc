/** Deviations that more time does not undo. */
import type { Found } from '../facts/raw.js';
import type { Deviation, DeviationKind } from '../facts/types.js';

const lasting: ReadonlySet<DeviationKind> = new Set(['duplicate', 'useless calls', 'failure hidden']);

/** True if it stays. A required message may still come, but what a check of the story forbids has happened. */
export const lasts = ({ kind, expect }: Pick<Deviation, 'kind' | 'expect'>, { failedChecks = [] }: Found): boolean =>
  lasting.has(kind) || (kind === 'check failed' && expect === null && failedChecks.every((one) => one.isForbidden));
