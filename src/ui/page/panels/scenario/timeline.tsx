/** The timeline of the scenario: its steps, its progress, and a button to play it to the end. */
import { type ActiveScenario, model } from '../../core/index.js';
import { Button, RelativeTime, StatusBadge } from '../../parts/index.js';
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
    <>
      <Play active={active} nowMs={nowMs} />
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
    </>
  );
}

/** Moves the clock to the end of the scenario; meanwhile, the steps below change to done. */
function Play({ active: { ends_at: end }, nowMs }: { readonly active: ActiveScenario; readonly nowMs: number }) {
  const { advances } = model.value;
  if (end === null) return null;
  const moving = advances.moving.value;
  const playing = moving !== null && 'to' in moving.move && Date.parse(moving.move.to) === Date.parse(end);
  const over = Date.parse(end) <= nowMs;
  const progress = advances.progress.value;
  return (
    <div class="play">
      <Button
        kind="small"
        icon="forward"
        aria-disabled={over || playing}
        onClick={() => {
          if (!over && !playing) advances.start({ to: end });
        }}
      >
        Play to the end
      </Button>
      {playing ? (
        <progress aria-label="Progress of the scenario" {...(progress !== null && { value: progress })} />
      ) : (
        <span class="hint">
          {over ? 'It ended ' : 'It ends '}
          <RelativeTime at={end} />
        </span>
      )}
    </div>
  );
}
