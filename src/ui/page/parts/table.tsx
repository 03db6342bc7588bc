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
import type { List } from '../core/index.js';
import { Loading } from './detail.js';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** In CSS; without it, the column takes what is left. */
  readonly width?: string;
  /** Classes: `wide` is left out in a narrow list, `end` is aligned at the end. */
  readonly class?: string;
}

interface Props<T> {
  readonly label: string;
  /** One of them has the link, made with `RowLink`. */
  readonly columns: readonly Column<T>[];
  readonly list: List<T>;
  readonly keyOf: (row: T) => string;
  /** What is shown without rows. */
  readonly empty: ComponentChildren;
}

/** Heights of a row in pixels, as in the style sheet: in a wide table, and with two lines in a narrow one. */
const wideRow = 36;
const narrowRow = 44;
/** The width in rem below which rows have two lines. */
const narrowRem = 40;

function useVirtualizer(count: number, onLook: (first: number) => void, height: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [, draw] = useReducer<number, undefined>((turn) => turn + 1, 0);
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
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [height]);
  const first = Math.floor((virtualizer.scrollOffset ?? 0) / height);
  useLayoutEffect(() => onLook(first), [first]);
  return { scroller, virtualizer };
}

export function Table<T>({ label, columns, list: { rows, ready, onNearEnd, onLook }, keyOf, empty }: Props<T>) {
  const [height, setHeight] = useState(wideRow);
  const { scroller, virtualizer } = useVirtualizer(rows.length, onLook, height);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const observer = new ResizeObserver(() => setHeight(element.clientWidth < narrowRem * rem ? narrowRow : wideRow));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ready]);
  useLayoutEffect(() => {
    if (last >= rows.length - 20) onNearEnd();
  }, [last, rows.length]);
  useLayoutEffect(() => {
    if (scroller.current) makeOneStop(scroller.current);
  });
  if (!ready) return <Loading />;
  if (rows.length === 0) return empty;
  const above = items[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div class="scroller" ref={scroller} onKeyDown={moveInRows}>
      <table class="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <colgroup>
          {columns.map(({ title, width, class: own }) => (
            <col key={title} class={own} style={width === undefined ? {} : { width }} />
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
          <Space height={above} />
          {items.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr key={keyOf(row)} aria-rowindex={index + 2}>
                {columns.map(({ title, cell, class: own }) => (
                  <td key={title} class={own}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Space height={below} />
        </tbody>
      </table>
    </div>
  );
}

function Space({ height }: { height: number }) {
  return height > 0 ? <tr class="space" aria-hidden="true" style={{ height: `${height}px` }} /> : null;
}

interface LinkProps {
  readonly href: string;
  readonly current: boolean;
  readonly children: ComponentChildren;
}

export function RowLink({ href, current, children }: LinkProps) {
  return (
    <a class="target" href={href} aria-current={current ? 'true' : undefined}>
      {children}
    </a>
  );
}

/** One tab stop for the whole list: the focused row, otherwise the open one, otherwise the first. */
export function makeOneStop(list: HTMLElement): void {
  const links = [...list.querySelectorAll<HTMLElement>('.target')];
  const stop =
    links.find((link) => link === document.activeElement) ??
    links.find((link) => link.getAttribute('aria-current') === 'true') ??
    links[0];
  list.tabIndex = links.length === 0 ? 0 : -1;
  for (const link of links) link.tabIndex = link === stop ? 0 : -1;
}

/** Arrow keys, `j` and `k` move between the rows. */
export function moveInRows(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const by = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
  if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.target')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  links[at + by]?.focus();
}
