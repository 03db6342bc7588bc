/** The active rules, of the scenario and added at run time; its timeline; and the verdict. */
import { useEffect, useState } from 'preact/hooks';
import { act, type ActiveScenario, ApiError, draft, exampleOf, model, toast } from '../../core/index.js';
import { Button, EmptyState, Field, RelativeTime, StatusBadge, submits, TextArea } from '../../parts/index.js';
import { offsetMs, stepStates } from './offsets.js';
import { type Problem, problemsOf } from './problems.js';
import { RuleList } from './rule-list.js';
import { entries } from './rule-words.js';
import { VerdictCard } from './verdict-card.js';

interface Props {
  readonly active: ActiveScenario;
  /** The id of the rule in the address. */
  readonly rule: string | undefined;
}

export function InForce({ active, rule }: Props) {
  const account = model.value;
  useEffect(() => account.rules.ensureAll(), [account]);
  // The newest rule takes precedence.
  const added = account.rules.rows.toReversed();
  const timeline = active.scenario?.['timeline'];
  const hasTimeline = Array.isArray(timeline) && timeline.length > 0;
  // If there are active rules, they come first; otherwise, the form is at the end.
  const byHand = (
    <section key="by-hand" class="scenario-card" aria-labelledby="added-rules">
      <h3 id="added-rules">Rules added by hand</h3>
      {added.length > 0 && (
        <RuleList
          label="Rules added by hand"
          rules={added}
          chosen={rule}
          action={({ id }) => (
            <Button
              kind="small"
              aria-label={`Remove ${id}`}
              onClick={() => void act(account.api.delete('/_sandbox/rules/{id}', { path: { id } }))}
            >
              Remove
            </Button>
          )}
        />
      )}
      <AddRule />
    </section>
  );
  return (
    <div class="in-force">
      {added.length > 0 && byHand}
      {active.name === null ? (
        <section class="scenario-card">
          <EmptyState
            icon="scenario"
            title="No scenario is active"
            command={exampleOf(account.site, 'PUT', '/_sandbox/scenario', { name: 'flaky-api' })}
          >
            <p>Choose one above, write one in the editor, or activate one from your tests:</p>
          </EmptyState>
        </section>
      ) : (
        <>
          <section class="scenario-card" aria-labelledby="scenario-rules">
            <h3 id="scenario-rules">Rules of {active.name}</h3>
            {active.rules.length === 0 ? (
              <p class="faint">It has no rules, only given records and a timeline.</p>
            ) : (
              <RuleList label={`Rules of ${active.name}`} rules={active.rules} chosen={rule} />
            )}
          </section>
          <section class="scenario-card" aria-labelledby="verdict">
            <h3 id="verdict">Verdict</h3>
            <VerdictCard key={`${active.name} ${active.activated_at ?? ''}`} active={active} />
          </section>
          {hasTimeline && (
            <section class="scenario-card" aria-labelledby="timeline">
              <h3 id="timeline">Timeline</h3>
              <Timeline active={active} />
            </section>
          )}
        </>
      )}
      {added.length === 0 && byHand}
    </div>
  );
}

const example = `when: message.send
pick: { first: 1 }
then: { respond: { status: 503, retry_after: 2s } }
`;

function AddRule() {
  const { api, key } = model.value;
  const text = draft(`scenario-rule/${key}`, example);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const add = async () => {
    try {
      await api.send('post', '/_sandbox/rules', text.value, 'application/yaml');
      setProblems([]);
      text.value = example;
      toast('good', 'The rule is active and takes precedence over all others.');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const found = problemsOf(error);
      setProblems(found);
      if (found.length === 0) toast('bad', error.message);
    }
  };
  return (
    <form class="add-rule grid gap-50" onSubmit={submits(add)}>
      <Field label="A new rule, in YAML" hint="One rule, as in a scenario file, without the leading dash.">
        <TextArea
          class="mono"
          rows={4}
          spellcheck={false}
          autocapitalize="off"
          value={text.value}
          onText={(next) => {
            text.value = next;
            setProblems([]);
          }}
        />
      </Field>
      {problems.length > 0 && (
        <ul class="bad small-text breaks" role="alert">
          {problems.map(({ line, message, suggestion, allowed }, at) => (
            <li key={at}>
              <span class="strong">Line {line}:</span> {message}
              {suggestion !== undefined && <> Did you mean {suggestion}?</>}
              {suggestion === undefined && allowed !== undefined && <> Allowed: {allowed}.</>}
            </li>
          ))}
        </ul>
      )}
      <Button kind="small" type="submit">
        Add rule
      </Button>
    </form>
  );
}

const tones = { done: 'good', next: 'wait', planned: 'off' } as const;

interface Step {
  readonly at: string;
  readonly [action: string]: unknown;
}

function Timeline({ active }: { active: ActiveScenario }) {
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
            <li key={index} class={`step small-text breaks relative ${state}`}>
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
function Play({ active: { ends_at: end }, nowMs }: { active: ActiveScenario; nowMs: number }) {
  const { advances } = model.value;
  if (end === null) return null;
  const moving = advances.moving.value;
  const playing = moving !== null && 'to' in moving.move && Date.parse(moving.move.to) === Date.parse(end);
  const over = Date.parse(end) <= nowMs;
  const progress = advances.progress.value;
  return (
    <div class="play row gap-60">
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
