/** A table of any length: rows newest first, each a link to its own address. It shows as many columns as fit. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { VirtualList } from './virtual-list.js';

export interface Column<T> {
  readonly id: string;
  readonly title: string;
  /** @param shown ids of the visible columns, so that a cell does not repeat the text of another one */
  readonly cell: (row: T, shown: ReadonlySet<string>) => ComponentChildren;
  /** The minimum width, in rem. */
  readonly least: number;
  /** The maximum width; without it, the column takes the remaining width. */
  readonly most?: number;
  /** 0: always visible. If there is little room, other columns are hidden by rank, the highest first. */
  readonly rank: number;
}

interface Props<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  /** In display order. */
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** The target of a row. Its first cell is the link, and a click anywhere in the row follows it. */
  readonly hrefOf: (row: T) => string;
  readonly current?: string | undefined;
  readonly onNearEnd?: () => void;
}

export function DataTable<T>(props: Props<T>) {
  const { label, columns, rows, keyOf, hrefOf, current, onNearEnd } = props;
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const measure = () => setWidth(element.clientWidth / rem);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, []);
  const shown = columnsThatFit(columns, width);
  const ids = new Set(shown.map(({ id }) => id));
  const tracks = {
    '--tracks': shown
      .map(({ least, most }) => `minmax(${least}rem, ${most === undefined ? '1fr' : `${most}rem`})`)
      .join(' '),
  };
  return (
    <div class="table low full" style={tracks} ref={box}>
      <VirtualList
        label={label}
        roles={['table', 'row']}
        rows={rows}
        keyOf={keyOf}
        estimate={40}
        {...(onNearEnd && { onNearEnd })}
        head={
          <div role="rowgroup" class="table-head strong surface ruled faint tiny-text">
            <div role="row" aria-rowindex={1} class="table-row grid gap-75 relative">
              {shown.map(({ id, title }) => (
                <span key={id} role="columnheader">
                  {title}
                </span>
              ))}
            </div>
          </div>
        }
        row={(row) => (
          <div role="presentation" class={`table-row grid gap-75 relative${keyOf(row) === current ? ' current' : ''}`}>
            {shown.map(({ id, cell }, at) => (
              <span key={id} role="cell">
                {at === 0 ? (
                  <a class="row-link" href={hrefOf(row)} aria-current={keyOf(row) === current ? 'true' : undefined}>
                    {cell(row, ids)}
                  </a>
                ) : (
                  cell(row, ids)
                )}
              </span>
            ))}
          </div>
        )}
      />
    </div>
  );
}

/** Selects the columns of a table that fit its width. */
interface Measured {
  /** The minimum width, in rem. */
  readonly least: number;
  /** 0: always visible. Other columns are hidden by rank, the highest first. */
  readonly rank: number;
}

/** Space between columns, and at both sides of a row, in rem. */
const gap = 0.75;
const sides = 1.8;

/** @param width of the table, in rem */
function columnsThatFit<C extends Measured>(columns: readonly C[], width: number): readonly C[] {
  const needed = columns.reduce((sum, { least }) => sum + least + gap, sides - gap);
  const last = Math.max(...columns.map(({ rank }) => rank));
  if (needed <= width || last === 0) return columns;
  return columnsThatFit(
    columns.filter(({ rank }) => rank < last),
    width,
  );
}
