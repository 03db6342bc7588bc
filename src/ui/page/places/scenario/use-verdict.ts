import { model, useRead, type Verdict } from '../../core/index.js';
import { stateOf, verdictNouns, type VerdictState } from './verdict.js';

let reading: Promise<unknown> = Promise.resolve();

/** @returns null without a scenario, and before the first response */
export function useVerdict(): { readonly verdict: Verdict; readonly state: VerdictState } | null {
  const { api, clock, scenario } = model.value;
  const active = scenario.value;
  const read = async () => {
    if (scenario.peek() === null) return undefined;
    const call = api.get('/_sandbox/verdict');
    reading = Promise.allSettled([reading, call]);
    // Without a format for other programs, it is a verdict.
    return (await call) as Verdict;
  };
  const key = active?.name ? `verdict ${active.name} ${active.activated_at ?? ''}` : null;
  const verdict = useRead(key, read, verdictNouns).value;
  return verdict && active ? { verdict, state: stateOf(verdict, active, clock.second.value ?? 0) } : null;
}

/** Ends the scenario when no verdict is being read: the browser would log one that does not exist as an error. */
export async function endScenario(): Promise<void> {
  const { api, scenario } = model.value;
  scenario.value = null;
  await reading;
  await api.delete('/_sandbox/scenario');
}
