/** What the scenario does by itself, and how far it has got. */
import { model } from '../../core/current.js';
import type { ActiveScenario } from '../../core/records.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { StatusBadge } from '../../parts/status-badge.js';
import { offsetMs, stepStates } from './offsets.js';
import { entries } from './rule-words.js';

const tones = { done: 'good', next: 'wait', planned: 'off' } as const;

interface Step {
  readonly at: string;
  readonly [action: string]: unknown;
}

export function Timeline({ active }: { readonly active: ActiveScenario }) {
  const steps = ((active.scenario?.['timeline'] ?? []) as readonly Step[]).toSorted(
    (a, b) => (offsetMs(a.at) ?? 0) - (offsetMs(b.at) ?? 0),
  );
  const nowMs = model.value.clock.second.value ?? 0;
  const sinceMs = active.activated_at === null ? 0 : Date.parse(active.activated_at);
  const states = stepStates(
    steps.map(({ at }) => at),
    sinceMs,
    nowMs,
  );
  return (
    <ol class="timeline" aria-label="Timeline">
      {steps.map(({ at, ...action }, index) => {
        const state = states[index] ?? 'planned';
        const dueMs = sinceMs + (offsetMs(at) ?? 0);
        return (
          <li key={index} class={`step ${state}`}>
            <p class="step-top">
              <span class="strong mono">{at}</span>
              <StatusBadge status={state} tone={tones[state]} />
              <span class="faint">
                <RelativeTime at={new Date(dueMs).toISOString()} />
              </span>
            </p>
            <p class="step-what mono">{entries(action)}</p>
          </li>
        );
      })}
    </ol>
  );
}
