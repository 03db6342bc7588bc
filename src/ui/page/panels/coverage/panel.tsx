/** Coverage: a picture of the parts of the service that this account's run has exercised. */
import type { Ref } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { type Coverage, fictional, here, model, replace, type Route, useFollowed } from '../../core/index.js';
import { Button, CopyButton, EmptyState } from '../../parts/index.js';
import { activateKnown, useKnown } from '../scenario/known.js';
import { GroupCard } from './group-card.js';
import { nextSpot, type Spot } from './nearest.js';
import { groupsOf, headerIn, type Item, magicIn, percent, scenariosIn } from './picture.js';
import './coverage.css';

/** `coverage/GROUP/NAME` opens a tile. */
export function CoverageView({ route }: { route: Route }) {
  const { api } = model.value;
  const report = useFollowed<Coverage | 'away'>(() => api.get('/_sandbox/coverage'), 'away').value;
  const known = (useKnown() ?? []).filter(({ valid }) => valid).map(({ name }) => name);
  const [looked, setLooked] = useState<string | null>(null);
  const [tiles, detail] = [useRef<HTMLDivElement>(null), useRef<HTMLElement>(null)];
  if (report === null) return <p class="report-note centred faint">Loading …</p>;
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
    <div class="report grid full coverage">
      <header class="report-head surface ruled row coverage-head">
        <p class="coverage-percent faint">
          <span class="coverage-number ink">{percent(covered, total)}</span> %
        </p>
        <div class="coverage-sum grid gap-35">
          <h2>
            {covered} of {total} exercised
          </h2>
          <progress value={covered} max={total} aria-label="Exercised" />
        </div>
        <ul class="legend wraps faint tiny-text" aria-label="How to read the tiles">
          {legend.map(([shade, words]) => (
            <li key={shade}>
              <span
                class={`tile left pointer line gap-30 tiny-text shrinks relative sample grid gap-50 shade-${shade}`}
                aria-hidden="true"
              />{' '}
              {words}
            </li>
          ))}
        </ul>
      </header>
      <div class="coverage-body low grid">
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

/** For `onKeyDown` of the element that contains the tiles. */
function moveByArrows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('.tile')];
  const from = tiles.findIndex((tile) => tile === event.target);
  const to = nextSpot(tiles.map(spotOf), from, event.key);
  if (to === -1) return;
  event.preventDefault();
  tiles[to]?.focus();
}

function spotOf(element: HTMLElement): Spot {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

interface DetailProps {
  /** Receives the focus if the tile was chosen by keyboard. */
  readonly place: Ref<HTMLElement>;
  readonly item: Item | null;
  readonly known: readonly string[];
  /** Escape returns to the tile. */
  readonly onLeave: () => void;
}

function Detail({ place, item, known, onLeave }: DetailProps) {
  const hintId = useId();
  if (item === null) {
    return (
      <aside class="tile-detail stack gap-35 surface scrolls breaks" ref={place} tabIndex={-1} aria-label="The tile">
        <p class="faint">
          Point at a tile, or use the arrow keys. A dashed tile was never exercised; click it to see how to exercise it.
        </p>
      </aside>
    );
  }
  const { group, name, hits, hint } = item;
  const scenarios = scenariosIn(hint, known);
  const magic = magicIn(hint);
  const header = headerIn(hint);
  return (
    <aside
      class="tile-detail stack gap-35 surface scrolls breaks"
      ref={place}
      tabIndex={-1}
      aria-label="The tile"
      aria-describedby={hintId}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onLeave();
      }}
    >
      <p class="faint">{group}</p>
      <h3 class="tile-name">{name}</h3>
      <p class="strong">{hits === 0 ? 'Never exercised' : `Exercised ${hits === 1 ? 'once' : `${hits} times`}`}</p>
      <p class="tile-hint small-text" id={hintId}>
        <span class="faint">{hits === 0 ? 'How to exercise it: ' : 'What does it: '}</span>
        {hint}
      </p>
      <div class="tile-actions wraps gap-35">
        {scenarios.map((scenario) => (
          <Button kind="small" icon="bolt" key={scenario} onClick={() => void activateKnown(scenario)}>
            Activate {scenario}
          </Button>
        ))}
        {magic !== null && <CopyButton text={fictional(magic)} label={fictional(magic)} words />}
        {header !== null && <CopyButton text={header} label="the header" words />}
      </div>
    </aside>
  );
}
