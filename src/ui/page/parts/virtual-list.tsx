/**
 * A list of any length that renders only the visible rows. Rows may have any height: it is estimated first, and
 * measured once they are rendered. The visible rows stay in place if rows are added or removed above; a view at the
 * growing end stays at that end.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { makeOneStop, moveInList } from './one-stop.js';

interface Props<T> {
  readonly rows: readonly T[];
  /** A key that identifies the row when others are added or removed. */
  readonly keyOf: (row: T) => string;
  readonly row: (row: T, before: T | undefined) => ComponentChildren;
  /** Estimated height of a row that is not rendered yet, in pixels. */
  readonly estimate: number;
  readonly label: string;
  readonly class?: string;
  /** The end where new rows appear, and where the list starts. */
  readonly grows?: 'top' | 'bottom';
  /** Called when the user scrolls near the other end: there may be more to read. */
  readonly onNearEnd?: () => void;
  /** Roles of the list and of a row; default: a plain list. */
  readonly roles?: readonly ['list', 'listitem'] | readonly ['table', 'row'];
  /** The row to scroll to once it is loaded. */
  readonly reveal?: string | undefined;
  readonly head?: ComponentChildren;
}

/** Pixels rendered beyond the visible part, so that scrolling finds rows there. */
const overscan = 400;
/** Distance from an end, in pixels, that counts as being at the end. */
const nearEdge = 24;
const nearEnd = 800;

export function VirtualList<T>(props: Props<T>) {
  const { rows, row, estimate, label, grows = 'top', onNearEnd, roles = ['list', 'listitem'], reveal } = props;
  const count = rows.length;
  const keyOf = (index: number) => props.keyOf(rows[index] as T);
  const scroller = useRef<HTMLDivElement>(null);
  /** Measured heights of rows in pixels, by key. */
  const [heights] = useState(() => new Map<string, number>());
  const sizes = useRef<ResizeObserver | null>(null);
  const [, draw] = useState(0);
  const view = useRef({ top: 0, height: 800, stuck: true, anchor: '', delta: 0, revealed: '' });
  const redraw = () => draw((times) => times + 1);

  // The position of each row, and finally the end of the last one.
  const offsets = new Float64Array(count + 1);
  let total = 0;
  for (let index = 0; index < count; index += 1) {
    total += heights.get(keyOf(index)) ?? estimate;
    offsets[index + 1] = total;
  }
  const { top, height, stuck } = view.current;
  const from = stuck && grows === 'bottom' ? Math.max(0, total - height) : Math.min(top, Math.max(0, total - height));
  const first = Math.max(0, positionAt(offsets, count, from - overscan));
  const last = Math.min(count, positionAt(offsets, count, from + height + overscan) + 1);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver((entries) => {
      let moved = false;
      for (const { target } of entries) {
        if (target === element) {
          view.current.height = element.clientHeight;
          moved = true;
        } else if (target instanceof HTMLElement) {
          const key = target.dataset['key'];
          const tall = target.offsetHeight;
          // A hidden row has the height 0.
          if (key === undefined || tall === 0 || heights.get(key) === tall) continue;
          heights.set(key, tall);
          moved = true;
        }
      }
      if (moved) redraw();
    });
    sizes.current = observer;
    observer.observe(element);
    view.current.height = element.clientHeight;
    redraw();
    return () => observer.disconnect();
  }, []);

  // After each rendering, a list at its growing end stays there; any other shows the same row as before.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const now = view.current;
    if (reveal !== undefined && reveal !== now.revealed) {
      const at = indexOf(count, keyOf, reveal);
      if (at >= 0) {
        now.revealed = reveal;
        now.stuck = false;
        now.anchor = reveal;
        now.delta = Math.max(0, now.height / 3);
      }
    }
    let wanted: number;
    if (now.stuck) wanted = grows === 'bottom' ? element.scrollHeight : 0;
    else {
      const at = indexOf(count, keyOf, now.anchor, positionAt(offsets, count, now.top));
      if (at < 0) return;
      wanted = (offsets[at] ?? 0) - now.delta;
    }
    const reachable = Math.max(0, Math.min(wanted, element.scrollHeight - element.clientHeight));
    if (Math.abs(element.scrollTop - reachable) > 1) {
      element.scrollTop = reachable;
      now.top = reachable;
      redraw();
    }
  });

  useLayoutEffect(() => {
    if (scroller.current) makeOneStop(scroller.current);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event;
    if ((key !== 'ArrowDown' && key !== 'ArrowUp') || !scroller.current || event.altKey || event.shiftKey) return;
    if (!(target instanceof Element) || !target.closest('.virtual-row') || target.closest('[popover], dialog')) return;
    if (moveInList(scroller.current, key === 'ArrowDown' ? 1 : -1)) event.preventDefault();
  };

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const now = view.current;
    now.top = element.scrollTop;
    const bottom = element.scrollHeight - element.clientHeight - element.scrollTop;
    now.stuck = grows === 'bottom' ? bottom < nearEdge : element.scrollTop < nearEdge;
    const at = Math.min(count - 1, positionAt(offsets, count, now.top));
    now.anchor = at >= 0 ? keyOf(at) : '';
    now.delta = (offsets[at] ?? 0) - now.top;
    if ((grows === 'bottom' ? element.scrollTop : bottom) < nearEnd) onNearEnd?.();
    redraw();
  };

  // The focused row stays rendered, however far away it is.
  const held = indexOf(count, keyOf, heldIn(scroller.current), first);
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
  if (held >= 0 && held < first) shown.unshift(held);
  if (held >= last) shown.push(held);
  const drawn: JSX.Element[] = [];
  for (const index of shown) {
    const key = keyOf(index);
    drawn.push(
      <div
        key={key}
        class="virtual-row absolute"
        role={roles[1]}
        data-key={key}
        aria-setsize={roles[1] === 'listitem' ? count : undefined}
        aria-posinset={roles[1] === 'listitem' ? index + 1 : undefined}
        aria-rowindex={roles[1] === 'row' ? index + 2 : undefined}
        style={{ top: `${offsets[index] ?? 0}px` }}
        ref={(element) => {
          if (element) sizes.current?.observe(element);
        }}
      >
        {row(rows[index] as T, rows[index - 1])}
      </div>,
    );
  }

  return (
    <div
      class={`virtual-list full relative ${props.class ?? ''}`}
      ref={scroller}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onFocusIn={({ currentTarget }) => makeOneStop(currentTarget)}
      tabIndex={0}
      role={roles[0] === 'list' ? 'region' : roles[0]}
      aria-label={label}
      aria-rowcount={roles[0] === 'table' ? count + 1 : undefined}
    >
      {props.head}
      <div
        class="virtual-space relative"
        role={roles[0] === 'list' ? 'list' : 'rowgroup'}
        style={{ height: `${total}px` }}
      >
        {drawn}
      </div>
    </div>
  );
}

/** Returns the row at a pixel. */
function positionAt(offsets: Float64Array, count: number, pixel: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle + 1] ?? 0) <= pixel) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the key of the focused row; empty if there is none. */
function heldIn(scroller: HTMLElement | null): string {
  const { activeElement: active } = document;
  if (!scroller || scroller === active || !scroller.contains(active)) return '';
  return active?.closest<HTMLElement>('.virtual-row')?.dataset['key'] ?? '';
}

/** Returns the current index of a row; the search starts from its previous index. */
function indexOf(count: number, keyOf: (index: number) => string, key: string, guess = 0): number {
  if (key === '') return -1;
  for (let away = 0; away < count; away += 1) {
    if (guess + away < count && keyOf(guess + away) === key) return guess + away;
    if (guess - away >= 0 && guess - away < count && keyOf(guess - away) === key) return guess - away;
    if (guess + away >= count && guess - away < 0) break;
  }
  return -1;
}
