/** An empty list: why it is empty, and a command that fills it. */
import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.js';
import { Icon, type IconName } from './icon.js';

interface Props {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
  /** A command that fills the list. */
  readonly command?: string;
}

export function EmptyState({ icon, title, children, command }: Props) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      {children}
      {command !== undefined && (
        <div class="command">
          <pre tabIndex={0} aria-label="Command">
            {command}
          </pre>
          <CopyButton text={command} label="command" />
        </div>
      )}
    </div>
  );
}
