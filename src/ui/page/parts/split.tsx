/** A list, and beside it what is opened from it; only one of them if there is not enough room. */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { wide } from '../core/index.js';

/** Whether the keyboard has just opened something, which takes the focus when it is there. */
let arriving = false;

/** Gives an element the focus if the keyboard has opened what it belongs to. */
export function useArrival(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    if (arriving) element.current?.focus({ preventScroll: true });
    arriving = false;
  }, []);
}

interface Props {
  readonly list: ComponentChildren;
  /** Null: nothing is open. */
  readonly detail: ComponentChildren;
}

export function Split({ list, detail }: Props) {
  const listSide = useRef<HTMLDivElement>(null);
  const detailSide = useRef<HTMLDivElement>(null);
  const open = detail !== null;
  return (
    <div class={`split${open && wide.value ? ' open' : ''}`}>
      {(wide.value || !open) && (
        <div
          class="list-side"
          ref={listSide}
          onClick={({ target, detail: count }) => {
            // A click caused by a key has the detail 0: the keyboard goes where the eye goes.
            const link =
              count === 0 && target instanceof Element ? target.closest<HTMLAnchorElement>('a.target') : null;
            arriving = link !== null;
            // What is open already does not arrive.
            if (link?.hash === location.hash) detailSide.current?.querySelector<HTMLElement>('h2')?.focus();
          }}
        >
          {list}
        </div>
      )}
      {open && (
        <div
          class="detail-side"
          ref={detailSide}
          onKeyDown={({ key, target }) => {
            if (key !== 'Escape' || (target instanceof Element && target.closest('dialog, [popover]'))) return;
            const current = listSide.current?.querySelector<HTMLElement>('[aria-current="true"]');
            if (current) current.focus();
            else detailSide.current?.querySelector<HTMLElement>('.titles > a.icon-button')?.click();
          }}
        >
          {detail}
        </div>
      )}
    </div>
  );
}

interface TabsProps {
  readonly label: string;
  readonly current: string;
  readonly tabs: readonly (readonly [id: string, title: string, href: string])[];
  readonly children?: ComponentChildren;
}

/** Views of one place, each with its own address, and beside them its actions. */
export function Tabs({ label, tabs, current, children }: TabsProps) {
  return (
    <div class="toolbar tabbed">
      <nav class="tabs grow" aria-label={label}>
        {tabs.map(([id, title, href]) => (
          <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {children}
    </div>
  );
}

interface ChipsProps {
  readonly label: string;
  readonly current: string;
  readonly chips: readonly {
    readonly id: string;
    readonly title: string;
    readonly href: string;
    readonly count?: number | undefined;
    /** Whether the number is of something that needs attention. */
    readonly bad?: boolean;
  }[];
}

/** A filter with few values, as links, each with the number of what it finds. */
export function Chips({ label, chips, current }: ChipsProps) {
  return (
    <div class="chips" role="group" aria-label={label}>
      {chips.map(({ id, title, href, count, bad = false }) => (
        <a key={id} href={href} aria-current={id === current ? 'true' : undefined}>
          {title}
          {count !== undefined && (
            <span class={bad && count > 0 ? 'count bad' : 'count'}>{count.toLocaleString('en')}</span>
          )}
        </a>
      ))}
    </div>
  );
}
