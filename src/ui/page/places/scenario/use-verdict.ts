/** The verdict of the active scenario, for the header and for its place. */
import { done, model, useRead, type Verdict } from '../../core/index.js';
import { stateOf, verdictNouns, type VerdictState } from './verdict.js';

/** @returns null without a scenario, and before the first response */
export function useVerdict(): { readonly verdict: Verdict; readonly state: VerdictState } | null {
  const { api, clock, scenario } = model.value;
  const active = scenario.value;
  const verdict = useRead(
    active?.name ? `verdict ${active.name} ${active.activated_at ?? ''}` : null,
    // Without a format for other programs, it is a verdict.
    async () => (await done(api.GET('/_sandbox/verdict'))) as Verdict,
    verdictNouns,
  ).value;
  return verdict && active ? { verdict, state: stateOf(verdict, active, clock.second.value ?? 0) } : null;
}
