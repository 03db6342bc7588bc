import { act, type ActiveScenario, here, model, useRead } from '../../core/index.js';
import { Button, Empty, HelpLink, Loading, State } from '../../parts/index.js';

export async function activate(name: string): Promise<void> {
  const account = model.value;
  const active = await act(account.api.put('/_sandbox/scenario', { body: { name } }), `${name} is active.`);
  if (active) account.scenario.value = active;
}

/** The files are read each time they are shown, because they change. */
export function useFiles(again: unknown = '') {
  const { api } = model.value;
  return useRead(`scenario files ${String(again)}`, () => api.get('/_sandbox/scenarios', { query: { limit: 1000 } }))
    .value?.items;
}

export function Files({ active }: { active: ActiveScenario }) {
  const known = useFiles(active.name);
  if (known === undefined) return <Loading />;
  if (known.length === 0) {
    return (
      <Empty title="There are no scenario files" command="messaging-sandbox start --scenario ./mine.yaml">
        <p>Start the sandbox with a file, or write one under Edit.</p>
      </Empty>
    );
  }
  return (
    <div class="detail">
      <ul class="card rows tall" aria-label="Scenario files">
        {known.map(({ name, description, file, active: isActive, valid, problems }) => (
          <li key={name}>
            <div class="breaks grow">
              <p>
                <a class="strong" href={here('scenario', ['edit', name])}>
                  {name}
                </a>{' '}
                {isActive && <State status="active" tone="good" />}
                {!valid && <State status="has errors" tone="bad" />}
              </p>
              <p>{valid ? description : problems?.[0]?.message}</p>
              <p class="soft mono">{file}</p>
            </div>
            <Button
              kind="low"
              disabled={!valid || isActive}
              aria-label={`Activate ${name}`}
              onClick={() => void activate(name)}
              words="Activate"
            />
          </li>
        ))}
      </ul>
      <p class="hint">
        <HelpLink page="scenarios-reference.md">How to write a scenario</HelpLink>. Edit files in your own editor with
        the shipped schema, and start the sandbox with --watch.
      </p>
    </div>
  );
}
