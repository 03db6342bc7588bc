import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { later, toast, wide } from '../core/index.js';
import { Icon, type IconName } from './icon.js';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'class' | 'icon' | 'kind' | 'label'> {
  /** `primary`, `danger`, `quiet`, `low` (in lists), or several of them. */
  readonly kind?: string;
  /** Its content, in place of children. */
  readonly words?: string;
}

export function Button({ kind = '', icon, words, children, ...rest }: ButtonProps & { readonly icon?: IconName }) {
  return (
    <button type="button" class={`button ${kind}`} {...rest}>
      {icon && <Icon name={icon} size={16} />}
      {words}
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonProps, 'words'> & { readonly icon: IconName; readonly label: string };

export function IconButton({ kind = '', icon, label, ...rest }: IconButtonProps) {
  return (
    <button type="button" class={`icon-button ${kind}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} size={kind.includes('inline') ? 14 : kind.includes('low') ? 16 : 18} />
    </button>
  );
}

/** Leads from an item back to its list. */
export function BackLink({ href, label }: { href: string; label: string }) {
  const words = wide.value ? 'Close' : label;
  return (
    <a class="icon-button low" href={href} aria-label={words} title={words}>
      <Icon name={wide.value ? 'close' : 'back'} />
    </a>
  );
}

/** @param page such as `time.md#advance`, in `docs/`; empty for the API reference */
export function HelpLink({ page, children }: { readonly page: string; readonly children: ComponentChildren }) {
  return (
    <a href={`/_sandbox/docs/${page}`.replace(/\/$/, '')} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

const shownMs = 1500;

interface CopyProps {
  readonly text: string;
  readonly label: string;
  /** Shown on the button, in place of the icon alone. */
  readonly words?: string;
  readonly kind?: string;
}

export function CopyButton({ text, label, words, kind = 'inline' }: CopyProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      later(shownMs, () => setCopied(false));
    } catch {
      toast('bad', 'The browser allows copying only on localhost and https. Select the text instead.', [text]);
    }
  };
  const name = `Copy ${label}`;
  const rest = { icon: copied ? 'check' : 'copy', onClick: () => void copy() } as const;
  if (words === undefined) return <IconButton kind={kind} label={name} {...rest} />;
  return <Button kind="low" aria-label={name} title={name} words={copied ? 'Copied' : words} {...rest} />;
}
