/** All scenario files of the sandbox: shipped, mounted, or named at start. */
import { here, model } from '../../core/index.js';
import { Button, EmptyState, StatusBadge } from '../../parts/index.js';
import { activateKnown, useKnown } from './known.js';

export function Library() {
  const known = useKnown(model.value.scenario.value?.name);
  if (known === null) return <p class="scenario-note faint">Loading …</p>;
  if (known.length === 0) {
    return (
      <EmptyState
        icon="file"
        title="There are no scenario files"
        command="messaging-sandbox start --scenario ./mine.yaml"
      >
        <p>Start the sandbox with a file, or write one in the editor.</p>
      </EmptyState>
    );
  }
  return (
    <ul class="library" aria-label="Scenario files">
      {known.map(({ name, description, file, active, valid, problems }) => (
        <li key={name} class={active ? 'library-entry active' : 'library-entry'}>
          <p class="library-name">
            <span class="strong">{name}</span> {active && <StatusBadge status="active" />}
            {!valid && <StatusBadge status="has errors" tone="bad" />}
          </p>
          <p class="library-words">{valid ? description : problems?.[0]?.message}</p>
          <p class="faint mono library-file cut tiny-text" title={file}>
            <bdi>{file}</bdi>
          </p>
          <p class="library-actions">
            <Button
              kind="small"
              disabled={!valid || active}
              aria-label={`Activate ${name}`}
              onClick={() => void activateKnown(name)}
            >
              Activate
            </Button>
            <a class="button quiet small" href={here('scenario', ['editor', name])}>
              Open in the editor <span class="for-readers">{name}</span>
            </a>
          </p>
        </li>
      ))}
    </ul>
  );
}
