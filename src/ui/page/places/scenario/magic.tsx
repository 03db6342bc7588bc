/** Phone numbers and template names that cause failures without a scenario. */
import { fictional, sandboxInfo } from '../../core/index.js';
import { Card, CopyButton, HelpLink, Loading } from '../../parts/index.js';

export function Magic() {
  const info = sandboxInfo();
  if (info === null) return <Loading />;
  return (
    <div class="detail">
      <h2 class="for-readers">Magic numbers and names</h2>
      <Card title="Numbers">
        <p class="hint">
          +1, any area code, then 555 01NN. A rule for the same call takes precedence.{' '}
          <HelpLink page="failures.md#magic-numbers">More about magic numbers</HelpLink>
        </p>
        <Rows
          head={['Number', 'Behaviour']}
          rows={info.magic_numbers.map(({ suffix, description }) => [fictional(suffix), description])}
        />
      </Card>
      <Card title="Template names">
        <p class="hint">The last part of a template’s name decides its review.</p>
        <Rows
          head={['Ends in', 'Review']}
          rows={info.magic_templates.map(({ suffix, description }) => [suffix, description])}
        />
      </Card>
    </div>
  );
}

interface Props {
  readonly head: readonly [string, string];
  readonly rows: readonly (readonly [string, string])[];
}

function Rows({ head, rows }: Props) {
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
        {rows.map(([text, words]) => (
          <tr key={text}>
            <td class="figures">
              <span class="mono">{text}</span> <CopyButton text={text} label={text} />
            </td>
            <td>{words}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
