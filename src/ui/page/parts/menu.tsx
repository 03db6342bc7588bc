/**
 * A button that opens a list of actions above everything else. An action or a link closes it, and so does Escape or a
 * click elsewhere.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { route } from '../core/index.js';
import type { ButtonProps } from './button.js';
import { Icon, type IconName } from './icon.js';

interface Props {
  readonly label: string;
  /** The contents of the button are its label; it has no other name. */
  readonly named?: boolean;
  readonly button: ComponentChildren;
  readonly class?: string;
  /** Rendered only while the menu is open. A function receives what closes the menu. */
  readonly children: ComponentChildren | ((close: () => void) => ComponentChildren);
  /** Called when the menu opens. */
  readonly onOpen?: () => void;
}

export function Menu({ label, named = false, button, class: className = 'icon-button', children, onOpen }: Props) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => panel.current?.hidePopover();
  const place = () => {
    const from = opener.current?.getBoundingClientRect();
    const element = panel.current;
    if (!from || !element) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const left = Math.max(8, Math.min(from.left, innerWidth - width - 8));
    const below = from.bottom + 6;
    const top = below + height > innerHeight - 8 ? Math.max(8, from.top - height - 6) : below;
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  };
  const { key, panel: at } = route.value;
  useEffect(() => {
    if (panel.current?.matches(':popover-open') === true) panel.current.hidePopover();
  }, [key, at]);
  // The menu grows when its contents arrive.
  useEffect(() => {
    const element = panel.current;
    if (!open || !element) return undefined;
    const observer = new ResizeObserver(place);
    observer.observe(element);
    return () => observer.disconnect();
  }, [open]);
  return (
    <>
      <button
        type="button"
        class={className}
        ref={opener}
        aria-label={named ? undefined : label}
        aria-haspopup="dialog"
        aria-expanded={open}
        title={label}
        popovertarget={id}
      >
        {button}
      </button>
      <div
        id={id}
        ref={panel}
        class="menu boxed ink high raised scrolls"
        popover="auto"
        role="dialog"
        aria-label={label}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('a, .menu-item:not([data-stays])')) close();
        }}
        onToggle={(event) => {
          const opened = event.newState === 'open';
          setOpen(opened);
          if (!opened) return;
          onOpen?.();
          // The contents are rendered after this event; before, the menu has no size.
          requestAnimationFrame(() => {
            panel.current?.querySelector<HTMLElement>('button, a, input, select')?.focus();
          });
        }}
      >
        {open && (typeof children === 'function' ? children(close) : children)}
      </div>
    </>
  );
}

export function MenuItem({ kind = '', icon, children, ...rest }: ButtonProps & { readonly icon?: IconName }) {
  return (
    <button type="button" class={`menu-item line ${kind}`} {...rest}>
      {icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}
