import type { ComponentChildren, ComponentProps } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { matches } from '../core/index.js';
import { Icon, type IconName } from './icon.js';
import { movesBetween } from './keys.js';

const finePointer = matches('(pointer: fine)');

interface Props {
  readonly label: string;
  /** The button's own words are its name. */
  readonly named?: boolean;
  readonly button: ComponentChildren;
  readonly class?: string;
  /** Classes of the menu itself, such as `from-end`, which aligns it with the end of the button. */
  readonly menu?: string;
  readonly children: (close: () => void) => ComponentChildren;
  readonly onOpen?: () => void;
}

export function Menu({ label, named = false, button, menu = '', children, onOpen, ...rest }: Props) {
  const { class: own = 'icon-button low' } = rest;
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const byArrow = useRef(false);
  const close = () => popover.current?.hidePopover();
  useEffect(() => {
    // On a phone, a focused field would open the keyboard.
    const wanted = byArrow.current ? 'input, button, a' : finePointer.value ? 'input' : null;
    if (open && wanted !== null) popover.current?.querySelector<HTMLElement>(wanted)?.focus();
    byArrow.current = false;
  }, [open]);
  return (
    <>
      <button
        type="button"
        class={own}
        aria-label={named ? undefined : label}
        title={label}
        aria-expanded={open}
        popovertarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || open) return;
          event.preventDefault();
          byArrow.current = true;
          popover.current?.showPopover();
        }}
      >
        {button}
      </button>
      <div
        id={id}
        ref={popover}
        popover="auto"
        class={`menu ${menu}`}
        role="group"
        aria-label={label}
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState === 'open') onOpen?.();
        }}
        onKeyDown={movesBetween('.menu-item')}
        onClick={({ target }) => {
          // A choice closes the menu, a link too.
          if (target instanceof Element && target.closest('.menu-item:not([data-stays])')) close();
        }}
      >
        {open && children(close)}
      </div>
    </>
  );
}

type ItemProps = Omit<ComponentProps<'button'>, 'class' | 'icon' | 'kind'> & {
  readonly icon?: IconName;
  readonly kind?: string;
  /** Its content, in place of children. */
  readonly words?: string;
  readonly 'data-stays'?: boolean;
};

export function MenuItem({ icon, kind = '', words, children, ...rest }: ItemProps) {
  return (
    <button type="button" class={`menu-item ${kind}`} {...rest}>
      {icon && <Icon name={icon} size={16} />}
      {words}
      {children}
    </button>
  );
}

export function MenuLink({ href, icon, words }: { href: string; icon: IconName; words: string }) {
  return (
    <a class="menu-item" href={href} {...(href.startsWith('#') ? {} : { target: '_blank', rel: 'noreferrer' })}>
      <Icon name={icon} size={16} />
      {words}
    </a>
  );
}
