/** A table of any length: only the rows on screen are in the document. A row is a link to its own address. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { type List, movesBetween } from '../core/index.js';
import { Loading } from './detail.js';
import { Time } from './state.js';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Makes it the column with the link of the row: its second line in a narrow list. */
  readonly sub?: (row: T) => ComponentChildren;
  /** In pixels of the usual font size; without it, the column takes what is left. */
  readonly width?: number;
  /** Classes: `wide` is left out in a narrow list, `end` is aligned at the end, `status` and `time` have a narrow width. */
  readonly class?: string;
}

/** The last column: when it happened. */
export function timeColumn<T>(at: (row: T) => string): Column<T> {
  return { title: 'Time', width: 132, class: 'end soft figures time', cell: (row) => <Time at={at(row)} /> };
}

interface Props<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly list: List<T>;
  readonly keyOf: (row: T) => string;
  readonly hrefOf: (row: T) => string;
  readonly isCurrent: (row: T) => boolean;
  /** What is shown without rows. */
  readonly empty: ComponentChildren;
}

/** The height of a row in pixels before one was measured. */
const usualHeight = 36;

function useRows(count: number, onLook: (first: number) => void) {
  const scroller = useRef<HTMLDivElement>(null);
  const [, draw] = useReducer<number, undefined>((turn) => turn + 1, 0);
  const [height, setHeight] = useState(usualHeight);
  const options: VirtualizerOptions<HTMLDivElement, HTMLElement> = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => draw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => {
    virtualizer._willUpdate();
    // All rows have the height that the style sheet gives them in a list of this width.
    setHeight(scroller.current?.querySelector<HTMLElement>('tbody tr:not(.space)')?.offsetHeight ?? height);
  });
  useLayoutEffect(() => virtualizer.measure(), [height]);
  const first = Math.floor((virtualizer.scrollOffset ?? 0) / height);
  useLayoutEffect(() => onLook(first), [first]);
  return { scroller, virtualizer };
}

export function Table<T>({ label, columns, list, keyOf, hrefOf, isCurrent, empty }: Props<T>) {
  const { rows, ready, onNearEnd, onLook } = list;
  const { scroller, virtualizer } = useRows(rows.length, onLook);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useLayoutEffect(() => {
    if (last >= rows.length - 20) onNearEnd();
  }, [last, rows.length]);
  useLayoutEffect(() => {
    if (scroller.current) makeOneStop(scroller.current);
  });
  if (!ready) return <Loading />;
  if (rows.length === 0) return empty;
  return (
    <div class="scroller" ref={scroller} onKeyDown={movesBetween('.target')}>
      <table class="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <colgroup>
          {columns.map(({ title, width, sub, class: own }) => (
            <col
              key={title}
              class={sub ? 'main' : own}
              style={width === undefined ? {} : { width: `${width / 16}rem` }}
            />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ title, class: own }) => (
              <th key={title} scope="col" class={own}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={items[0]?.start ?? 0} />
          {items.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr key={keyOf(row)} aria-rowindex={index + 2}>
                {columns.map(({ title, cell, sub, class: own }) => (
                  <td key={title} class={own}>
                    {sub ? (
                      <>
                        <a class="target" href={hrefOf(row)} aria-current={isCurrent(row) ? 'true' : undefined}>
                          {cell(row)}
                        </a>
                        <span class="sub" dir="auto">
                          {sub(row)}
                        </span>
                      </>
                    ) : (
                      cell(row)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
          <Space height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </div>
  );
}

function Space({ height }: { height: number }) {
  return height > 0 ? <tr class="space" aria-hidden="true" style={{ height: `${height}px` }} /> : null;
}

/** One tab stop for the whole list: the focused row, otherwise the open one, otherwise the first. */
function makeOneStop(list: HTMLElement): void {
  const links = [...list.querySelectorAll<HTMLElement>('.target')];
  const stop =
    links.find((link) => link === document.activeElement) ??
    links.find((link) => link.getAttribute('aria-current') === 'true') ??
    links[0];
  list.tabIndex = links.length === 0 ? 0 : -1;
  for (const link of links) link.tabIndex = link === stop ? 0 : -1;
}
