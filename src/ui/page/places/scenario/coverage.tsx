/** What the tests of this account have exercised, as a table; what is missing comes first. */
import { useState } from 'preact/hooks';
import { type Coverage as Report, done, model, useRead } from '../../core/index.js';
import { Button, Loading, SearchBox } from '../../parts/index.js';
import { verdictNouns } from './verdict.js';

export function Coverage() {
  const { api } = model.value;
  const [search, setSearch] = useState('');
  const [missing, setMissing] = useState(false);
  const report = useRead(
    'coverage',
    async () => (await done(api.GET('/_sandbox/coverage'))) as Report,
    verdictNouns,
  ).value;
  if (report === undefined) return <Loading />;
  const { items, covered, total } = report;
  const words = search.trim().toLowerCase();
  const rows = items
    .filter(({ group, name, hint, hits }) => {
      return `${group} ${name} ${hint}`.toLowerCase().includes(words) && (!missing || hits === 0);
    })
    .toSorted((a, b) => Number(a.hits > 0) - Number(b.hits > 0));
  return (
    <div class="detail">
      <div class="row">
        <p class="strong">
          {covered} of {total} exercised, {Math.floor((100 * covered) / Math.max(1, total))} %
        </p>
        <Button kind="low" aria-pressed={missing} onClick={() => setMissing(!missing)}>
          Only what is missing
        </Button>
        <SearchBox label="Search coverage" placeholder="Operation, error or state" value={search} onText={setSearch} />
      </div>
      <progress value={covered} max={total} aria-label="Exercised" />
      <section class="card" aria-label="Coverage">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" class="end">
                Hits
              </th>
              <th scope="col">How to exercise it</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ group, name, hits, hint }) => (
              <tr key={`${group} ${name}`}>
                <td>
                  <span class="soft">{group}</span> {name}
                </td>
                <td class={`end figures ${hits === 0 ? 'warn' : ''}`}>{hits}</td>
                <td class="soft">{hint}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
