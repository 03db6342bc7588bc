/** Phone numbers and template names that cause failures without a scenario. */
import { fictional, sandboxInfo } from '../../core/index.js';
import { CopyButton, HelpLink } from '../../parts/index.js';

export function MagicTables() {
  const info = sandboxInfo();
  if (info === null) return <p class="scenario-note faint">Loading …</p>;
  return (
    <div class="magic-tables">
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

function Table({ head, rows }: { readonly head: readonly [string, string]; readonly rows: readonly Row[] }) {
  return (
    <table class="magic-table small-text">
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
              <span class="magic-text">
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
