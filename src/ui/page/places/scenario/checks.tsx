import { type ActiveScenario, durationMs, model, type Verdict } from '../../core/index.js';
import { Card, Notice, State, Time } from '../../parts/index.js';
import { entries } from './rules.js';
import type { CheckState } from './verdict.js';

/** The sandbox names at most this many records of a check. */
const mostNamed = 10;

const tones = { passed: 'good', failed: 'bad', open: 'wait' } as const;

export function Checks({ verdict, states }: { verdict: Verdict; states: readonly CheckState[] }) {
  const { checks, note, warnings = [] } = verdict;
  // A running scenario may still be called, and what has failed needs no other reason.
  const isQuiet = !states.includes('failed') && !states.includes('open');
  return (
    <>
      {[...(note !== undefined && isQuiet ? [note] : []), ...warnings].map((words) => (
        <Notice tone="warn" key={words}>
          {words}
        </Notice>
      ))}
      <Card title="Expectations">
        {checks.length === 0 && (
          <p class="soft">
            It has none, so it cannot fail. An <code>expect:</code> block states what the application must do.
          </p>
        )}
        <ul class="rows tall">
          {checks.map((check, index) => (
            <CheckLine key={index} check={check} state={states[index] ?? 'open'} />
          ))}
        </ul>
      </Card>
    </>
  );
}

function CheckLine({ check, state }: { check: Verdict['checks'][number]; state: CheckState }) {
  const { at, that, because, expected, found, records = [] } = check;
  const failed = state === 'failed';
  return (
    <li>
      <span class="first">
        <State status={state} tone={tones[state]} />
      </span>
      <div class="breaks grow">
        <p class="strong">{because ?? that}</p>
        <p class="soft">
          {because !== undefined && <span class="mono">{that}</span>} {at === 'finish' ? 'at the end' : `at ${at}`}
        </p>
        <p>
          Expected {expected}; <span class={failed ? 'bad' : ''}>{found}</span>
        </p>
        {failed && (
          <ul class="stack tight">
            {records.map(({ id, text, page }) => (
              <li key={id}>
                <a href={page.slice(page.indexOf('#'))}>{text}</a>
              </li>
            ))}
            {records.length === mostNamed && <li class="soft">These are the first {mostNamed}.</li>}
          </ul>
        )}
      </div>
    </li>
  );
}

interface Step {
  readonly at: string;
  readonly [action: string]: unknown;
}

export function Timeline({ active }: { active: ActiveScenario }) {
  const timeline = (active.scenario?.['timeline'] ?? []) as readonly Step[];
  if (timeline.length === 0) return null;
  const steps = timeline.toSorted((a, b) => (durationMs(a.at) ?? 0) - (durationMs(b.at) ?? 0));
  const sinceMs = active.activated_at === null ? 0 : Date.parse(active.activated_at);
  const nowMs = model.value.clock.second.value ?? 0;
  const due = steps.map(({ at }) => sinceMs + (durationMs(at) ?? 0));
  const nextMs = due.find((ms) => ms > nowMs);
  return (
    <Card title="Timeline">
      <ol class="rows tall">
        {steps.map(({ at, ...action }, index) => {
          const ms = due[index] ?? 0;
          return (
            <li key={index} class={ms <= nowMs ? 'soft' : ''}>
              <span class="first mono strong">{at}</span>
              <span class="breaks mono grow">{entries(action)}</span>
              {ms === nextMs && <State status="next" tone="wait" />}
              <span class="soft">
                <Time at={new Date(ms).toISOString()} as="relative" />
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
