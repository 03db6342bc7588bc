/** The expectations of a scenario, each with what was expected and what was found. */
import { act, done, download, model, type Verdict } from '../../core/index.js';
import { Card, Notice, State } from '../../parts/index.js';
import type { CheckState } from './verdict.js';

const tones = { passed: 'good', failed: 'bad', open: 'wait' } as const;

export function Checks({ verdict, states }: { verdict: Verdict; states: readonly CheckState[] }) {
  const { checks, note, warnings = [] } = verdict;
  // A running scenario may still be called, and what has failed needs no other reason.
  const isQuiet = !states.includes('failed') && !states.includes('open');
  return (
    <>
      {note !== undefined && isQuiet && <Notice tone="warn">{note}</Notice>}
      {warnings.map((warning) => (
        <Notice tone="warn" key={warning}>
          {warning}
        </Notice>
      ))}
      <Card title="Expectations">
        {checks.length === 0 ? (
          <p class="soft">
            It has none, so it cannot fail. An <code>expect:</code> block states what the application must do.
          </p>
        ) : (
          <ul class="checks">
            {checks.map(({ at, that, because, expected, found, records = [] }, index) => {
              const state = states[index] ?? 'open';
              return (
                <li key={index} class={state}>
                  <State status={state} tone={tones[state]} />
                  <div class="breaks">
                    <p class="strong">{because ?? that}</p>
                    <p class="soft small">
                      {because !== undefined && <span class="mono">{that}</span>}{' '}
                      {at === 'finish' ? 'at the end' : `at ${at}`}
                    </p>
                    <p class="small">
                      Expected {expected}; <span class={state === 'failed' ? 'bad' : ''}>{found}</span>
                    </p>
                    {state === 'failed' && records.length > 0 && (
                      <p class="row small">
                        {records.map(({ id, page }) => (
                          <a key={id} class="mono" href={page.slice(page.indexOf('#'))}>
                            {id}
                          </a>
                        ))}
                      </p>
                    )}
                  </div>
                </li>
              );
            })}
          </ul>
        )}
      </Card>
    </>
  );
}

/** Downloads the verdict as a report. */
export async function saveVerdict(format: 'junit' | 'markdown'): Promise<void> {
  const call = model.value.api.GET('/_sandbox/verdict', { params: { query: { format } }, parseAs: 'text' });
  const report: unknown = await act(done(call));
  if (typeof report !== 'string') return;
  if (format === 'junit') download('verdict.xml', report, 'application/xml');
  else download('verdict.md', report, 'text/markdown');
}
