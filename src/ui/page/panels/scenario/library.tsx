/** All scenario files of the sandbox: shipped, mounted, or named at start. */
import { fictional, here, model, sandboxInfo } from '../../core/index.js';
import { Button, CopyButton, EmptyState, HelpLink, StatusBadge } from '../../parts/index.js';
import { activateKnown, useKnown } from './known.js';

export function Library() {
  const known = useKnown(model.value.scenario.value?.name);
  if (known === null) return <p class="scenario-note centred faint">Loading …</p>;
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
    <ul class="library grid gap-75" aria-label="Scenario files">
      {known.map(({ name, description, file, active, valid, problems }) => (
        <li
          key={name}
          class={
            active
              ? 'library-entry boxed curved-14 grid gap-30 surface shrinks active'
              : 'library-entry boxed curved-14 grid gap-30 surface shrinks'
          }
        >
          <p class="library-name">
            <span class="strong">{name}</span> {active && <StatusBadge status="active" />}
            {!valid && <StatusBadge status="has errors" tone="bad" />}
          </p>
          <p class="library-words">{valid ? description : problems?.[0]?.message}</p>
          <p class="faint mono library-file left cut tiny-text" title={file}>
            <bdi>{file}</bdi>
          </p>
          <p class="wraps gap-30 relative">
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

/** Phone numbers and template names that cause failures without a scenario. */
export function MagicTables() {
  const info = sandboxInfo();
  if (info === null) return <p class="scenario-note centred faint">Loading …</p>;
  return (
    <div class="magic-tables grid">
      <section class="scenario-card">
        <h3>Numbers</h3>
        <p class="faint">
          +1, any area code, then 555 01NN, such as +1 202 555 01NN. A rule for the same call takes precedence.{' '}
          <HelpLink page="failures.md#magic-numbers">More about magic numbers</HelpLink>
        </p>
        <Table
          head={['Number', 'Behaviour']}
          rows={info.magic_numbers.map(({ suffix, name, description }) => ({
            name,
            text: fictional(suffix),
            copied: `number ${fictional(suffix)}`,
            description,
          }))}
        />
      </section>
      <section class="scenario-card">
        <h3>Template names</h3>
        <p class="faint">The last part of a template’s name decides its review.</p>
        <Table
          head={['Ends in', 'Review']}
          rows={info.magic_templates.map(({ suffix, name, description }) => ({
            name,
            text: suffix,
            copied: `ending ${suffix}`,
            description,
          }))}
        />
      </section>
    </div>
  );
}

interface Row {
  readonly name: string;
  readonly text: string;
  readonly copied: string;
  readonly description: string;
}

function Table({ head, rows }: { head: readonly string[]; rows: readonly Row[] }) {
  return (
    <table class="magic-table whole small-text">
      <thead>
        <tr>
          <th scope="col">{head[0]}</th>
          <th scope="col">{head[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, text, copied, description }) => (
          <tr key={name}>
            <td>
              <span class="inline nowrap">
                <span class="mono">{text}</span> <CopyButton text={text} label={copied} />
              </span>
            </td>
            <td>
              {description} <span class="faint magic-name">{name}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
