/** One feature that a run can exercise: a filled tile with its count, or an empty tile if it was not exercised. */
import { shade, type Item } from './picture.js';

interface Props {
  readonly item: Item;
  /** The label in the tile; the matrix has its labels at the edges. */
  readonly title?: string;
  readonly selected: boolean;
  /** Whether Tab stops here; arrow keys move to the other tiles. */
  readonly stop: boolean;
  readonly onLook: (item: Item) => void;
  readonly onSelect: (item: Item, byKeys: boolean) => void;
}

export function Tile({ item, title, selected, stop, onLook, onSelect }: Props) {
  const { group, name, hits } = item;
  return (
    <button
      type="button"
      class={`tile shade-${shade(hits)}`}
      data-tile={`${group}/${name}`}
      aria-pressed={selected}
      tabIndex={stop ? 0 : -1}
      onMouseEnter={() => onLook(item)}
      onFocus={() => onLook(item)}
      // A click caused by a key has the detail 0.
      onClick={({ detail }) => onSelect(item, detail === 0)}
    >
      <span class="for-readers">{title === undefined ? `${group} ${name}` : group}</span>
      {title !== undefined && <span class="tile-title breaks">{title}</span>}
      <span class="tile-hits" aria-hidden={hits === 0}>
        {hits === 0 ? '–' : short(hits)}
      </span>
      <span class="for-readers">{hits === 0 ? 'never exercised' : hits === 1 ? 'hit' : 'hits'}</span>
    </button>
  );
}

/** Formats a count in at most four characters. */
function short(hits: number): string {
  return hits < 10_000 ? String(hits) : `${Math.floor(hits / 1000)}k`;
}
