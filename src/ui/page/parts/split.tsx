/** A list, and beside it what is opened from it; one of the two where there is room for one. */
import type { ComponentChildren } from 'preact';
import { wide } from '../core/media.js';
import { useOpening } from './opening.js';
import '../styles/split.css';

interface Props {
  readonly list: ComponentChildren;
  /** Null: nothing is open. */
  readonly detail: ComponentChildren;
  /** Beside the list while nothing is open; without it the list takes all the room. */
  readonly none?: ComponentChildren;
  readonly class?: string;
}

export function Split({ list, detail, none = null, class: className = '' }: Props) {
  const opening = useOpening();
  const open = detail !== null;
  const beside = open ? detail : none;
  const two = wide.value && beside !== null;
  return (
    <div class={`split ${className}${two ? ' two' : ''}`}>
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
