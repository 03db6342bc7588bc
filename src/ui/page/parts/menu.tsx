/** Menus: the browser's popovers, anchored to their buttons. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.js';

interface Props {
  readonly label: string;
  /** The button's own words are its name. */
  readonly named?: boolean;
  /** The content of the button. */
  readonly button: ComponentChildren;
  readonly class?: string;
  /** Classes of the menu itself, such as `from-end`, which aligns it with the end of the button. */
  readonly menu?: string;
  /** Rendered while the menu is open. */
  readonly children: (close: () => void) => ComponentChildren;
  readonly onOpen?: () => void;
}

export function Menu({
  label,
  named = false,
  button,
  class: own = 'icon-button low',
  menu = '',
  children,
  onOpen,
}: Props) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => popover.current?.hidePopover();
  return (
    <>
      <button
        type="button"
        class={own}
        aria-label={named ? undefined : label}
        title={label}
        aria-expanded={open}
        popovertarget={id}
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
        onKeyDown={(event) => moveFocus(event)}
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

/** Arrow keys move between the items. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('.menu-item')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[(at + by + items.length) % items.length]?.focus();
}

type ItemProps = Omit<ComponentProps<'button'>, 'class' | 'icon' | 'kind'> & {
  readonly icon?: IconName;
  readonly kind?: string;
  /** The menu stays open. */
  readonly 'data-stays'?: boolean;
};

export function MenuItem({ icon, kind = '', children, ...rest }: ItemProps) {
  return (
    <button type="button" class={`menu-item ${kind}`} {...rest}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}

export function MenuLink({ href, icon, children }: { href: string; icon: IconName; children: ComponentChildren }) {
  return (
    <a class="menu-item" href={href} {...(href.startsWith('#') ? {} : { target: '_blank', rel: 'noreferrer' })}>
      <Icon name={icon} size={16} />
      {children}
    </a>
  );
}
