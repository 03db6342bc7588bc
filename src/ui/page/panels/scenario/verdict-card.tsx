/** The current verdict: every expectation with its state and reason, and the steps that could not be played. */
import { useEffect } from 'preact/hooks';
import { act, type ActiveScenario, download, draft, model, useFollowed, type Verdict } from '../../core/index.js';
import { Button, Icon, Notice, StatusBadge } from '../../parts/index.js';
import { checkState, isOver, lastOffsetMs, type CheckState } from './offsets.js';
import { changesOf, noRuns, withRun, type Run, type Seen } from './runs.js';

const reports = [
  ['junit', 'JUnit', 'verdict.xml', 'application/xml'],
  ['markdown', 'Markdown', 'verdict.md', 'text/markdown'],
] as const;

const tones = { passed: 'good', failed: 'bad', open: 'wait' } as const;

export function VerdictCard({ active }: { active: ActiveScenario }) {
  const { api, clock } = model.value;
  const verdict = useFollowed<Verdict | 'none'>(() => api.get('/_sandbox/verdict') as Promise<Verdict>, 'none').value;
  const nowMs = clock.second.value ?? 0;
  if (verdict === null || verdict === 'none') return <p class="faint">Loading …</p>;
  if (verdict.checks.length === 0) {
    return (
      <>
        <p class="faint">
          It has no expectations, so it cannot fail. An <code>expect:</code> block states what the application must do.
        </p>
        <Note of={verdict} />
        <Warnings of={verdict} />
      </>
    );
  }
  const sinceMs = active.activated_at === null ? 0 : Date.parse(active.activated_at);
  const steps = (active.scenario?.['timeline'] ?? []) as readonly { readonly at: string }[];
  const lastMs = lastOffsetMs([...steps, ...verdict.checks].map(({ at }) => at));
  const states = verdict.checks.map((check) => checkState(check, sinceMs, nowMs, lastMs));
  const count = (state: CheckState) => states.filter((each) => each === state).length;
  const failed = count('failed');
  const open = count('open');
  const fails = failed > 0 || (verdict.reason !== undefined && open === 0 && isOver(sinceMs, nowMs, lastMs));
  const passes = verdict.passed && open === 0;
  return (
    <>
      <p class={`verdict toned gap-50 row ${passes ? 'good' : fails ? 'bad' : 'wait'}`} role="status">
        <Icon name={passes ? 'check' : fails ? 'close' : 'clock'} size={18} />
        <span class="strong">{passes ? 'Passed' : fails ? 'Failed' : 'Running'}</span>
        <span>
          {count('passed')} passed, {failed} failed, {open} open
        </span>
      </p>
      <p class="verdict-files flex gap-25">
        {reports.map(([format, words, file, type]) => (
          <Button
            kind="quiet small"
            icon="download"
            key={format}
            aria-label={`Download ${words}`}
            title={`Download the verdict as ${words}`}
            onClick={() => void save(format, file, type)}
          >
            {words}
          </Button>
        ))}
      </p>
      <Note of={verdict} />
      <Compared
        active={active}
        states={Object.fromEntries(
          verdict.checks.map(({ at, that }, index) => [`${that} (${at})`, states[index] ?? 'open']),
        )}
      />
      <ul class="checks" aria-label="Expectations">
        {verdict.checks.map(({ at, that, because, expected, found, records = [] }, index) => {
          const state = states[index] ?? 'open';
          return (
            <li key={index} class={`check small-text breaks ${state}`}>
              <p class="check-top">
                <StatusBadge status={state} tone={tones[state]} />
                <span class="faint">{at === 'finish' ? 'at the end' : `at ${at}`}</span>
              </p>
              <p class="strong">{because ?? that}</p>
              {because !== undefined && <p class="check-what mono">{that}</p>}
              <p class="check-found">
                expected {words(expected)}; <span class="strong">{words(found)}</span>
              </p>
              {state === 'failed' && records.length > 0 && (
                <p class="check-records wraps tiny-text">
                  {records.map(({ id, page }) => (
                    <a key={id} class="mono" href={page.slice(page.indexOf('#'))}>
                      {id}
                    </a>
                  ))}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      <Warnings of={verdict} />
    </>
  );
}

interface ComparedProps {
  readonly active: ActiveScenario;
  readonly states: Run['states'];
}

/** Compares this run with the previous one. */
function Compared({ active: { name, activated_at: activatedAt, rules }, states }: ComparedProps) {
  const seen = draft<Seen>(`runs/${model.value.key}/${name ?? ''}`, noRuns);
  const hits = rules.reduce((sum, rule) => sum + rule.hits, 0);
  const run = { activatedAt, hits, states };
  const said = JSON.stringify(run);
  useEffect(() => {
    seen.value = withRun(seen.peek(), run);
  }, [said]);
  const { previous } = seen.value;
  if (previous === null) return null;
  const of = Object.values(previous.states);
  const count = (state: CheckState) => of.filter((each) => each === state).length;
  const changes = changesOf(previous, run);
  return (
    <div class="compared small-text" role="group" aria-label="Previous run">
      <p class="faint">
        Previous run: {count('passed')} passed, {count('failed')} failed, {count('open')} open.
        {changes.length === 0 && !Object.values(states).includes('open') && ' No expectation has changed.'}
      </p>
      {changes.length > 0 && (
        <ul>
          {changes.map(({ check, was, is }) => (
            <li key={check}>
              <StatusBadge status={was} tone={tones[was]} /> → <StatusBadge status={is} tone={tones[is]} /> {check}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Downloads the verdict as a report. */
async function save(format: 'junit' | 'markdown', file: string, type: string): Promise<void> {
  const report = await act<unknown>(model.value.api.get('/_sandbox/verdict', { query: { format } }));
  if (typeof report === 'string') download(file, report, type);
}

/** A warning that the application made no call: without calls, a verdict means little. */
function Note({ of: { note } }: { of: Verdict }) {
  if (note === undefined) return null;
  return (
    <Notice tone="warn" icon="alert">
      {note}
    </Notice>
  );
}

/** Timeline steps that were skipped; they may explain a verdict. */
function Warnings({ of: { warnings = [] } }: { of: Verdict }) {
  if (warnings.length === 0) return null;
  return (
    <ul class="verdict-warnings grid gap-40 breaks" aria-label="Warnings">
      {warnings.map((warning, index) => (
        <li key={index} class="notice toned breaks warn">
          <Icon name="alert" size={16} />
          <span>{warning}</span>
        </li>
      ))}
    </ul>
  );
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
