/** A sentence that stands out, with an icon. */
import type { ComponentProps } from 'preact';
import { Icon, type IconName } from './icon.js';

interface Props extends Omit<ComponentProps<'div'>, 'class' | 'icon'> {
  readonly tone?: 'bad' | 'warn';
  readonly icon: IconName;
}

export function Notice({ tone, icon, children, ...rest }: Props) {
  return (
    <div class={`notice breaks ${tone ?? ''}`} {...rest}>
      <Icon name={icon} size={16} />
      <div>{children}</div>
    </div>
  );
}
