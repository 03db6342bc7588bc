/** What the tests of this account have exercised, and what causes failures without a scenario, as tables. */
import type { ComponentChildren } from 'preact';
import { model, useRead } from '../../core/index.js';
import { Card, CopyButton, HelpLink, Loading } from '../../parts/index.js';
import { fictional } from '../conversations/phone.js';
import { verdictNouns } from './verdict.js';

interface Props {
  readonly head: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

function Plain({ head, rows }: Props) {
  return (
    <table class="plain">
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, at) => (
          <tr key={at}>
            {cells.map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What is missing comes first. */
export function Coverage() {
  const { api } = model.value;
  const report = useRead('coverage', () => api.get('/_sandbox/coverage'), verdictNouns).value;
  if (report === undefined) return <Loading />;
  const { items, covered, total } = report;
  const rows = items.toSorted((a, b) => Number(a.hits > 0) - Number(b.hits > 0));
  return (
    <div class="detail">
      <p>
        <span class="strong">
          {covered} of {total} exercised, {Math.floor((100 * covered) / Math.max(1, total))} %
        </span>{' '}
        <HelpLink page="ci.md#around-one-command">Check it in CI</HelpLink>
      </p>
      <progress value={covered} max={total} aria-label="Exercised" />
      <section class="card" aria-label="Coverage">
        <Plain
          head={['What', 'Hits', 'How to exercise it']}
          rows={rows.map(({ group, name, hits, hint }) => [
            <>
              <span class="soft">{group}</span> {name}
            </>,
            <span class={hits === 0 ? 'warn' : ''}>{hits}</span>,
            <span class="soft">{hint}</span>,
          ])}
        />
      </section>
    </div>
  );
}

export function Magic() {
  const info = model.value.info.value;
  if (info === null) return <Loading />;
  const row = (text: string, words: string) => [
    <>
      <span class="mono">{text}</span> <CopyButton text={text} label={text} />
    </>,
    words,
  ];
  return (
    <div class="detail">
      <h2 class="for-readers">Magic numbers and names</h2>
      <Card title="Numbers">
        <p class="hint">
          +1, any area code, then 555 01NN. A rule for the same call takes precedence.{' '}
          <HelpLink page="failures.md#magic-numbers">More about magic numbers</HelpLink>
        </p>
        <Plain
          head={['Number', 'Behaviour']}
          rows={info.magic_numbers.map(({ suffix, description }) => row(fictional(suffix), description))}
        />
      </Card>
      <Card title="Template names">
        <p class="hint">The last part of a template’s name decides its review.</p>
        <Plain
          head={['Ends in', 'Review']}
          rows={info.magic_templates.map(({ suffix, description }) => row(suffix, description))}
        />
      </Card>
    </div>
  );
}
