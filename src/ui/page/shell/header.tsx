/** The header: the account, its time, active rules and scenarios, and the state of the connection. */
import { dark, route, toggleTheme } from '../core/index.js';
import { Icon, IconButton } from '../parts/index.js';
import { AccountSwitcher } from './account-switcher.js';
import { ArmedBadge } from './armed-badge.js';
import { ClockControl } from './clock-control.js';
import { ConnectionDot } from './connection-dot.js';
import { overlay } from './overlays.js';

export function Header() {
  return (
    <header class="header">
      <span class="brand" aria-hidden="true">
        <svg viewBox="0 0 32 32" width="26" height="26">
          <rect width="32" height="32" rx="9" fill="var(--brand)" />
          <path
            d="M8 10a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-6l-5 5v-5a2 2 0 0 1-2-2z"
            fill="var(--brand-mark)"
          />
        </svg>
      </span>
      <h1 class="for-readers">messaging-sandbox</h1>
      <AccountSwitcher />
      <ArmedBadge />
      <ClockControl />
      <ConnectionDot />
      <IconButton
        icon="search"
        label="Search"
        aria-keyshortcuts="Control+K /"
        title="Search (Ctrl+K or /)"
        onClick={() => (overlay.value = 'search')}
      />
      <a
        class="icon-button help-button"
        href={`/_sandbox/docs/web-ui.md#${route.value.panel}`}
        target="_blank"
        rel="noreferrer"
        aria-label="Help"
        title="About this panel, in the documentation"
      >
        <Icon name="help" />
      </a>
      <IconButton
        icon={dark.value ? 'sun' : 'moon'}
        label={dark.value ? 'Light theme' : 'Dark theme'}
        title={dark.value ? 'Light theme' : 'Dark theme'}
        onClick={toggleTheme}
      />
    </header>
  );
}
