/** The tiles of one group: operations as a matrix by status, all others in rows. */
import { Fragment } from 'preact';
import { matrixOf, percent, type Group, type Item } from './picture.js';
import { Tile } from './tile.js';

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
    <section class={`coverage-group${matrix ? ' wide' : ''}`} aria-label={name}>
      <header>
        <h3>{words(name)}</h3>
        <p class="faint">
          {covered}/{items.length} · {percent(covered, items.length)} %
        </p>
      </header>
      {matrix ? (
        <div class="matrix" style={{ '--columns': matrix.columns.length }}>
          <span />
          {matrix.columns.map((column) => (
            <span key={column} class="matrix-column">
              {column}
            </span>
          ))}
          {matrix.rows.map((row) => (
            <Fragment key={row.name}>
              <span class="matrix-row cut" title={row.name}>
                {row.name}
              </span>
              {row.cells.map((item, at) => (item ? tile(item) : <span key={at} />))}
            </Fragment>
          ))}
        </div>
      ) : (
        <div class="tiles">{items.map((item) => tile(item, item.name))}</div>
      )}
    </section>
  );
}

/** `OTP state` stays unchanged; `error code` becomes `Error code`. */
function words(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1) + (name === 'operation' ? 's by status' : 's');
}
