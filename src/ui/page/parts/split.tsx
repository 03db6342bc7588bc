/** A list next to its open item; only one of them if there is not enough room. */
import type { ComponentChildren } from 'preact';
import { huge, wide } from '../core/index.js';
import { EmptyState } from './empty-state.js';
import { useOpening } from './opening.js';

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
    <div class={`split ${className}${two ? ' two' : ''}${table ? ' tabular' : ''}`}>
      {(wide.value || !open) && (
        <div class="split-list" {...opening.list}>
          {list}
        </div>
      )}
      {(open || two) && (
        <div class={`split-detail${open ? '' : ' none'}`} {...opening.detail}>
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
