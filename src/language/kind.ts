import type { LoadedScenario } from './scenario.js';

export type ScenarioKind = 'conditions' | 'story';

/** Checks that need something to happen: not every test of a suite does that. */
const asking = ['min', 'count', 'has', 'in_order', 'state'] as const;

/**
 * Conditions hold for any suite: rules, and checks that nothing but a mistake breaks. A story has given records, a
 * timeline, or checks that need something to happen.
 */
export function kindOf({ given, timeline, expect }: LoadedScenario): ScenarioKind {
  const hasGiven = Object.values(given).some((list) => list.length > 0);
  const asks = expect.some((check) => asking.some((key) => key in check));
  return hasGiven || timeline.length > 0 || asks ? 'story' : 'conditions';
}
