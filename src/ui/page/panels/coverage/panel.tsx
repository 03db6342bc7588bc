/** Coverage: a picture of the parts of the service that this account's run has exercised. */
import { useRef, useState } from 'preact/hooks';
import { type Coverage, here, model, replace, type Route, useFollowed } from '../../core/index.js';
import { EmptyState } from '../../parts/index.js';
import { useKnown } from '../scenario/known.js';
import { moveByArrows } from './arrows.js';
import { Detail } from './detail.js';
import { GroupCard } from './group-card.js';
import { groupsOf, percent, type Item } from './picture.js';
import './coverage.css';

/** `coverage/GROUP/NAME` opens a tile. */
export function CoverageView({ route }: { readonly route: Route }) {
  const { api } = model.value;
  const report = useFollowed<Coverage | 'away'>(() => api.get('/_sandbox/coverage'), 'away').value;
  const known = (useKnown() ?? []).filter(({ valid }) => valid).map(({ name }) => name);
  const [looked, setLooked] = useState<string | null>(null);
  const [tiles, detail] = [useRef<HTMLDivElement>(null), useRef<HTMLElement>(null)];
  if (report === null) return <p class="report-note faint">Loading …</p>;
  if (report === 'away') {
    return (
      <EmptyState icon="coverage" title="The report is not available now" command={command}>
        <p>It returns when the sandbox is running again. From a terminal:</p>
      </EmptyState>
    );
  }
  const { items, covered, total } = report;
  const idOf = ({ group, name }: Item) => `${group}/${name}`;
  const chosen = route.path.length === 2 ? route.path.join('/') : null;
  const shown = items.find((item) => idOf(item) === (looked ?? chosen)) ?? null;
  const select = (item: Item, byKeys: boolean) => {
    setLooked(null);
    replace(here('coverage', [item.group, item.name]));
    // Tab would move through other tiles, and change the detail each time.
    if (byKeys) detail.current?.focus();
  };
  const groups = groupsOf(items);
  return (
    <div class="report coverage">
      <header class="report-head row coverage-head">
        <p class="coverage-percent faint">
          <span class="coverage-number">{percent(covered, total)}</span> %
        </p>
        <div class="coverage-sum">
          <h2>
            {covered} of {total} exercised
          </h2>
          <progress value={covered} max={total} aria-label="Exercised" />
        </div>
        <ul class="legend faint tiny-text" aria-label="How to read the tiles">
          {legend.map(([shade, words]) => (
            <li key={shade}>
              <span class={`tile sample shade-${shade}`} aria-hidden="true" /> {words}
            </li>
          ))}
        </ul>
      </header>
      <div class="coverage-body">
        <div
          class="coverage-groups"
          ref={tiles}
          role="group"
          aria-label="Tiles"
          onKeyDown={moveByArrows}
          onMouseLeave={() => setLooked(null)}
        >
          <div class="coverage-columns">
            {groups.map((group) => (
              <GroupCard
                key={group.name}
                group={group}
                chosen={chosen}
                onLook={(item) => setLooked(idOf(item))}
                onSelect={select}
              />
            ))}
          </div>
        </div>
        <Detail
          place={detail}
          item={shown}
          known={known}
          onLeave={() => tiles.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()}
        />
      </div>
    </div>
  );
}

const legend = [
  [0, 'never'],
  [1, '1–3'],
  [2, '4–15'],
  [3, '16–99'],
  [4, '100 and more'],
] as const;

const command = 'messaging-sandbox coverage';
