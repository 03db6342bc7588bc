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

/** What is to be shown is still read. */
export function Loading() {
  return <p class="starting faint">Loading …</p>;
}

export function EmptyState({ icon, title, children, command }: Props) {
  return (
    <div class="empty stack gap-50 faint centred">
      <span class="empty-icon accent-ink middle">
        <Icon name={icon} size={28} />
      </span>
      <h2>{title}</h2>
      {children}
      {command !== undefined && (
        <div class="command sunken left whole ink top flex gap-25">
          <pre tabIndex={0} aria-label="Command">
            {command}
          </pre>
          <CopyButton text={command} label="command" />
        </div>
      )}
    </div>
  );
}
