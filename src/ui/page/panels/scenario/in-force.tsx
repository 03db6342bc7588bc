/** The active rules, of the scenario and added at run time; its timeline; and the verdict. */
import { useEffect } from 'preact/hooks';
import { act, type ActiveScenario, exampleOf, model } from '../../core/index.js';
import { Button, EmptyState } from '../../parts/index.js';
import { AddRule } from './add-rule.js';
import { RuleList } from './rule-list.js';
import { Timeline } from './timeline.js';
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
