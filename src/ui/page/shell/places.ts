/** The six places, in the order of the navigation. The code of the first comes with the page, the others' when it is idle. */
import type { FunctionComponent } from 'preact';
import type { Route } from '../core/route.js';
import type { IconName } from '../parts/icon.js';
import { lazy } from '../parts/lazy.js';
import { Messages } from '../places/messages/panel.js';

export interface Place {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  /** For a narrow navigation; default: the title. */
  readonly brief?: string;
  readonly icon: IconName;
  readonly view: FunctionComponent<{ readonly route: Route }>;
  /** Its heading in docs/web-ui.md. */
  readonly help: string;
}

function place(id: string, icon: IconName, view: Place['view'], brief?: string): Place {
  const title = id.charAt(0).toUpperCase() + id.slice(1);
  return { id, title, icon, view, help: `web-ui.md#${id}`, ...(brief !== undefined && { brief }) };
}

export const places: readonly [Place, ...Place[]] = [
  place('messages', 'mail', Messages),
  place(
    'conversations',
    'chat',
    lazy(async () => (await import('../places/conversations/panel.js')).Conversations),
    'Chats',
  ),
  place(
    'webhooks',
    'webhook',
    lazy(async () => (await import('../places/webhooks/panel.js')).Webhooks),
  ),
  place(
    'requests',
    'requests',
    lazy(async () => (await import('../places/requests/panel.js')).Requests),
  ),
  place(
    'templates',
    'template',
    lazy(async () => (await import('../places/templates/panel.js')).Templates),
  ),
  place(
    'scenario',
    'scenario',
    lazy(async () => (await import('../places/scenario/panel.js')).Scenario),
  ),
];
