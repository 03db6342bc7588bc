/** The tiles of one group: operations as a matrix by status, all others in rows. */
import { Fragment } from 'preact';
import { type Group, type Item, matrixOf, percent, shade } from './picture.js';

interface Props {
  readonly group: Group;
  /** `GROUP/NAME` of the tile in the address. */
  readonly chosen: string | null;
  readonly onLook: (item: Item) => void;
  readonly onSelect: (item: Item, byKeys: boolean) => void;
}

export function GroupCard({ group, chosen, onLook, onSelect }: Props) {
  const { name, items, covered } = group;
  const isChosen = (item: Item) => `${item.group}/${item.name}` === chosen;
  // Each group is one tab stop: the chosen tile, or the first.
  const stop = items.find(isChosen) ?? items[0];
  const tile = (item: Item, title?: string) => (
    <Tile
      key={item.name}
      item={item}
      {...(title !== undefined && { title })}
      selected={isChosen(item)}
      stop={item === stop}
      onLook={onLook}
      onSelect={onSelect}
    />
  );
  const matrix = name === 'operation' ? matrixOf(items) : null;
  return (
    <section class={`coverage-group boxed curved-14 surface shrinks${matrix ? ' wide' : ''}`} aria-label={name}>
      <header>
        <h3>{words(name)}</h3>
        <p class="faint">
          {covered}/{items.length} · {percent(covered, items.length)} %
        </p>
      </header>
      {matrix ? (
        <div class="matrix grid" style={{ '--columns': matrix.columns.length }}>
          <span />
          {matrix.columns.map((column) => (
            <span key={column} class="matrix-column faint centred">
              {column}
            </span>
          ))}
          {matrix.rows.map((row) => (
            <Fragment key={row.name}>
              <span class="matrix-row small-text cut" title={row.name}>
                {row.name}
              </span>
              {row.cells.map((item, at) => (item ? tile(item) : <span key={at} />))}
            </Fragment>
          ))}
        </div>
      ) : (
        <div class="tiles grid gap-35">{items.map((item) => tile(item, item.name))}</div>
      )}
    </section>
  );
}

/** `OTP state` stays unchanged; `error code` becomes `Error code`. */
function words(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1) + (name === 'operation' ? 's by status' : 's');
}

interface TileProps {
  readonly item: Item;
  /** The label in the tile; the matrix has its labels at the edges. */
  readonly title?: string;
  readonly selected: boolean;
  /** Whether Tab stops here; arrow keys move to the other tiles. */
  readonly stop: boolean;
  readonly onLook: (item: Item) => void;
  readonly onSelect: (item: Item, byKeys: boolean) => void;
}

/** One feature that a run can exercise: a filled tile with its count, or an empty tile if it was not exercised. */
function Tile({ item, title, selected, stop, onLook, onSelect }: TileProps) {
  const { group, name, hits } = item;
  return (
    <button
      type="button"
      class={`tile left pointer line gap-30 tiny-text shrinks relative shade-${shade(hits)}`}
      data-tile={`${group}/${name}`}
      aria-pressed={selected}
      tabIndex={stop ? 0 : -1}
      onMouseEnter={() => onLook(item)}
      onFocus={() => onLook(item)}
      // A click caused by a key has the detail 0.
      onClick={({ detail }) => onSelect(item, detail === 0)}
    >
      <span class="for-readers">{title === undefined ? `${group} ${name}` : group}</span>
      {title !== undefined && <span class="shrinks breaks">{title}</span>}
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
