/** The steps of a scenario's timeline, and which of them are done. */
import { type ActiveScenario, model } from '../../core/index.js';
import { Card, State, Time } from '../../parts/index.js';
import { entries } from './rule-words.js';
import { offsetMs, stepStates } from './verdict.js';

interface Step {
  readonly at: string;
  readonly [action: string]: unknown;
}

export function Timeline({ active }: { active: ActiveScenario }) {
  const timeline = (active.scenario?.['timeline'] ?? []) as readonly Step[];
  if (timeline.length === 0) return null;
  const steps = timeline.toSorted((a, b) => (offsetMs(a.at) ?? 0) - (offsetMs(b.at) ?? 0));
  const nowMs = model.value.clock.second.value ?? 0;
  const sinceMs = active.activated_at === null ? 0 : Date.parse(active.activated_at);
  const states = stepStates(
    steps.map(({ at }) => at),
    sinceMs,
    nowMs,
  );
  return (
    <Card title="Timeline">
      <ol class="steps">
        {steps.map(({ at, ...action }, index) => (
          <li key={index} class={states[index]}>
            <span class="mono strong">{at}</span>
            <span class="breaks mono grow">{entries(action)}</span>
            {states[index] === 'next' && <State status="next" tone="wait" />}
            <span class="soft">
              <Time at={new Date(sinceMs + (offsetMs(at) ?? 0)).toISOString()} as="relative" />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
