/** A list next to its open item; only one of them if there is not enough room. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { huge, wide } from '../core/index.js';
import { EmptyState } from './empty-state.js';

interface Props {
  readonly list: ComponentChildren;
  /** Null: nothing is open. */
  readonly detail: ComponentChildren;
  /** Shown next to the list while nothing is open; without it, the list takes the full width. */
  readonly none?: ComponentChildren;
  /** The list is a table: on a large screen it keeps its columns next to the open item. */
  readonly table?: boolean;
  readonly class?: string;
}

export function Split({ list, detail, none = null, table = false, class: className = '' }: Props) {
  const opening = useOpening();
  const open = detail !== null;
  const beside = open ? detail : (none ?? (table && huge.value ? <NothingOpen /> : null));
  const two = wide.value && beside !== null;
  return (
    <div class={`split low grid full ${className}${two ? ' two' : ''}${table ? ' tabular' : ''}`}>
      {(wide.value || !open) && (
        <div class="split-list low grid surface" {...opening.list}>
          {list}
        </div>
      )}
      {(open || two) && (
        <div class={`split-detail low${open ? '' : ' none'}`} {...opening.detail}>
          {beside}
        </div>
      )}
    </div>
  );
}

function NothingOpen() {
  return (
    <EmptyState icon="search" title="Nothing is open">
      <p>Choose a row on the left to see its details here.</p>
    </EmptyState>
  );
}

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

/** Views of the same subject, each with its own address; a tab is a link. */
interface TabsProps {
  readonly label: string;
  readonly tabs: readonly {
    readonly id: string;
    readonly title: string;
    readonly href: string;
    readonly count?: number;
  }[];
  readonly current: string;
}

export function Tabs({ label, tabs, current }: TabsProps) {
  return (
    <nav class="tabs flex gap-25 ruled" aria-label={label}>
      {tabs.map(({ id, title, href, count }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined}>
          {title}
          {count !== undefined && <span class="tab-count tiny-text">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
