/** A table of any length: only the rows on screen are in the document. A row is a link to its own address. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { movesBetween } from './keys.js';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Makes it the column with the link of the row: its second line in a narrow list. */
  readonly sub?: (row: T) => ComponentChildren;
  /** In pixels of the usual font size; without it, the column takes what is left. */
  readonly width?: number;
  /**
   * Classes: `end` is aligned at the end. In a narrow list, `wide` is left out, `lead` stands before both lines of a row,
   * `time` at the end of the first, `status` at the end of the second.
   */
  readonly class?: string;
}

export interface RowsProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly idOf: (row: T) => string;
  readonly hrefOf: (row: T) => string;
  readonly isCurrent: (row: T) => boolean;
  readonly isLine: (row: T, before: T | undefined) => boolean;
  readonly onLook?: ((first: number) => void) | undefined;
  readonly onNearEnd?: (() => void) | undefined;
}

/** Rows above and below the screen, so that a short way needs no drawing; and how many before the end are near it. */
const spare = 8;
const near = 20;

/** All rows have the height that the style sheet gives them in a list of this width. */
function useScreen(current: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [screen, setScreen] = useState({ first: 0, height: 36, room: 0 });
  /** The first row's place on the screen without scrolling, the scroll position, and the open row. */
  const before = useRef<{ topPx: number; scrolledPx: number; current: number }>(undefined);
  const isHidden = useRef(false);
  const look = () => {
    const list = scroller.current;
    if (list?.clientHeight === 0) {
      isHidden.current = true;
      return;
    }
    if (list && isHidden.current) list.scrollTop = before.current?.scrolledPx ?? 0;
    isHidden.current = false;
    const height = list?.querySelector<HTMLElement>('tbody tr:not(.space)')?.offsetHeight ?? screen.height;
    const room = Math.ceil((list?.clientHeight ?? 0) / height);
    const topPx = (list?.getBoundingClientRect().top ?? 0) + (list?.querySelector('thead')?.offsetHeight ?? 0);
    const old = before.current;
    if (list && old && height !== screen.height) {
      // The list has become narrow or wide: the row that was opened or closed stays where the eye is.
      const opened = current < 0 ? old.current : current;
      const isOnScreen = opened >= screen.first && opened < screen.first + screen.room;
      const kept = isOnScreen ? opened : screen.first;
      list
        .querySelector<HTMLElement>('.space:first-child')
        ?.style.setProperty('height', `${drawnFrom(screen.first) * height}px`);
      // At most so far that it is the first row on screen.
      list.scrollTop = Math.min(kept * height, kept * (height - screen.height) + old.scrolledPx + topPx - old.topPx);
    }
    const scrolledPx = list?.scrollTop ?? 0;
    before.current = { topPx, scrolledPx, current };
    const first = Math.floor(scrolledPx / height);
    setScreen((known) =>
      known.first === first && known.height === height && known.room === room ? known : { first, height, room },
    );
  };
  const latest = useRef(look);
  latest.current = look;
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => latest.current());
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(look);
  return { scroller, look, ...screen };
}

const drawnFrom = (first: number) => Math.max(0, first - spare);

export function Rows<T>({ label, columns, rows, idOf, hrefOf, isCurrent, isLine, ...rest }: RowsProps<T>) {
  const { onLook, onNearEnd } = rest;
  const { scroller, look, first, height, room } = useScreen(rows.findIndex(isCurrent));
  const from = drawnFrom(first);
  const to = Math.min(rows.length, first + room + spare);
  useLayoutEffect(() => onLook?.(first), [first]);
  useLayoutEffect(() => {
    if (to > rows.length - near) onNearEnd?.();
  }, [to, rows.length]);
  useLayoutEffect(() => {
    if (scroller.current) makeOneStop(scroller.current);
  });
  return (
    <div class="scroller" ref={scroller} onScroll={look} onKeyDown={movesBetween('.target')}>
      <table class="table" role="table" aria-label={label} aria-rowcount={rows.length + 1}>
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
        <tbody role="rowgroup">
          <Space rows={from} height={height} />
          {rows.slice(from, to).map((row, at) => (
            // In a narrow list, the style sheet lays them out as two lines, and they are still a table.
            <tr
              key={idOf(row)}
              role="row"
              class={`${isCurrent(row) ? 'current' : ''} ${isLine(row, rows[from + at - 1]) ? 'seen' : ''}`}
              aria-rowindex={from + at + 2}
            >
              {columns.map(({ title, cell, sub, class: own }) => (
                <td key={title} role="cell" class={sub ? 'main' : own}>
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
          ))}
          <Space rows={rows.length - to} height={height} />
        </tbody>
      </table>
    </div>
  );
}

function Space({ rows, height }: { rows: number; height: number }) {
  return rows > 0 ? <tr class="space" aria-hidden="true" style={{ height: `${rows * height}px` }} /> : null;
}

/** One tab stop for the whole list: the focused row, otherwise the open one, otherwise the first. */
function makeOneStop(list: HTMLElement): void {
  const links = [...list.querySelectorAll<HTMLElement>('.target')];
  const stop =
    links.find((link) => link === document.activeElement) ??
    links.find((link) => link.getAttribute('aria-current') === 'true') ??
    links[0];
  for (const link of links) link.tabIndex = link === stop ? 0 : -1;
}
