/** Describes one tile: what it stands for, how often it was exercised, and for an empty one, how to exercise it. */
import type { Ref } from 'preact';
import { useId } from 'preact/hooks';
import { fictional } from '../../core/index.js';
import { Button, CopyButton } from '../../parts/index.js';
import { activateKnown } from '../scenario/known.js';
import { headerIn, magicIn, scenariosIn, type Item } from './picture.js';

interface Props {
  /** Receives the focus if the tile was chosen by keyboard. */
  readonly place: Ref<HTMLElement>;
  readonly item: Item | null;
  readonly known: readonly string[];
  /** Escape returns to the tile. */
  readonly onLeave: () => void;
}

export function Detail({ place, item, known, onLeave }: Props) {
  const hintId = useId();
  if (item === null) {
    return (
      <aside class="tile-detail breaks" ref={place} tabIndex={-1} aria-label="The tile">
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
      class="tile-detail breaks"
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
      <p class="tile-count">{hits === 0 ? 'Never exercised' : `Exercised ${hits === 1 ? 'once' : `${hits} times`}`}</p>
      <p class="tile-hint small-text" id={hintId}>
        <span class="faint">{hits === 0 ? 'How to exercise it: ' : 'What does it: '}</span>
        {hint}
      </p>
      <div class="tile-actions">
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
