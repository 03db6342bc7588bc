/** A table of any length: rows newest first, each a link to its own place. */
import type { ComponentChildren } from 'preact';
import { wide } from '../core/media.js';
import { VirtualList } from './virtual-list.js';

export interface Column<T> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Width as a grid track, such as `6rem` or `minmax(8rem, 1fr)`. */
  readonly width: string;
  /** Left out where there is little room. */
  readonly wideOnly?: boolean;
}

interface Props<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  /** In the order in which they are shown. */
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** Where a row leads. Its first cell is the link, and its click surface the whole row. */
  readonly hrefOf: (row: T) => string;
  readonly current?: string | undefined;
  readonly onNearEnd?: () => void;
  /** Only the columns that are needed, whatever the width of the page: another pane stands beside it. */
  readonly narrow?: boolean;
}

export function DataTable<T>(props: Props<T>) {
  const { label, columns, rows, keyOf, hrefOf, current, onNearEnd, narrow = false } = props;
  const shown = narrow || !wide.value ? columns.filter(({ wideOnly }) => wideOnly !== true) : columns;
  const tracks = { '--tracks': shown.map(({ width }) => width).join(' ') };
  return (
    <div class="table" style={tracks}>
      <VirtualList
        label={label}
        roles={['table', 'row']}
        count={rows.length}
        keyOf={(index) => keyOf(rows[index] as T)}
        estimate={40}
        {...(onNearEnd && { onNearEnd })}
        head={
          <div role="rowgroup" class="table-head">
            <div role="row" aria-rowindex={1} class="table-row">
              {shown.map(({ id, title }) => (
                <span key={id} role="columnheader">
                  {title}
                </span>
              ))}
            </div>
          </div>
        }
        row={(index) => {
          const row = rows[index] as T;
          return (
            <div role="presentation" class={`table-row${keyOf(row) === current ? ' current' : ''}`}>
              {shown.map(({ id, cell }, at) => (
                <span key={id} role="cell">
                  {at === 0 ? (
                    <a class="row-link" href={hrefOf(row)} aria-current={keyOf(row) === current ? 'true' : undefined}>
                      {cell(row)}
                    </a>
                  ) : (
                    cell(row)
                  )}
                </span>
              ))}
            </div>
          );
        }}
      />
    </div>
  );
}
