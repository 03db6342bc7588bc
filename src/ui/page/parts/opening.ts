/**
 * Keyboard control of a list and its open item: Enter on a row moves to the item, Escape returns to the row. With Tab,
 * thousands of rows may lie between the two.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * @param first selector of the element that gets the focus first; default: the whole detail
 * @returns attributes for the element around the list, and for the one around the open item
 */
export function useOpening(first?: string) {
  const list = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLDivElement>(null);
  const wanted = useRef(false);
  const enter = () => {
    if (!wanted.current || !detail.current) return;
    wanted.current = false;
    const begin = first === undefined ? null : detail.current.querySelector<HTMLElement>(first);
    (begin ?? detail.current).focus({ preventScroll: true });
  };
  useLayoutEffect(enter);
  return {
    list: {
      ref: list,
      onClick: ({ target, detail: count }: MouseEvent) => {
        // A click caused by a key has the detail 0.
        const link = count === 0 && target instanceof Element ? target.closest('a') : null;
        wanted.current = link !== null;
        // An item that is already open is not rendered again.
        if (link?.hash === location.hash) enter();
      },
    },
    detail: {
      ref: detail,
      tabIndex: -1,
      onKeyDown: ({ key, target }: KeyboardEvent) => {
        if (key !== 'Escape' || (target instanceof Element && target.closest('dialog, [popover]'))) return;
        list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
      },
    },
  };
}
