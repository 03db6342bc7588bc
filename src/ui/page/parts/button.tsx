/** Buttons with words, with an icon alone, and the way back from an item to its list. */
import type { ComponentChildren, ComponentProps } from 'preact';
import { wide } from '../core/index.js';
import { Icon, type IconName } from './icon.js';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'class' | 'icon' | 'kind' | 'label'> {
  /** Its classes, such as `primary`, `danger`, `quiet small`. */
  readonly kind?: string;
}

export function Button({ kind = '', icon, children, ...rest }: ButtonProps & { readonly icon?: IconName }) {
  return (
    <button type="button" class={`button ${kind}`} {...rest}>
      {icon && <Icon name={icon} size={kind.includes('small') ? 14 : 16} />}
      {children}
    </button>
  );
}

type IconButtonProps = ButtonProps & { readonly icon: IconName; readonly label: string };

export function IconButton({ kind = '', icon, label, ...rest }: IconButtonProps) {
  return (
    <button type="button" class={`icon-button ${kind}`} aria-label={label} {...rest}>
      <Icon name={icon} size={kind.includes('small') ? 14 : 18} />
    </button>
  );
}

/** Leads back to the list, where only the item has room. */
export function BackLink({ href, label }: { href: string; label: string }) {
  if (wide.value) return null;
  return (
    <a class="icon-button" href={href} aria-label={label}>
      <Icon name="back" />
    </a>
  );
}

interface Props {
  /** `time.md#advance`, in `docs/`; empty for the API reference. */
  readonly page: string;
  readonly children: ComponentChildren;
}

export function HelpLink({ page, children }: Props) {
  return (
    <a href={`/_sandbox/docs/${page}`.replace(/\/$/, '')} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
