/** The six places, in the order of the navigation. The code of each is loaded when it is first opened. */
import type { FunctionComponent } from 'preact';
import type { Route } from '../core/route.js';
import type { IconName } from '../parts/icon.js';
import { lazy } from '../parts/lazy.js';

export interface Place {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  /** For a narrow navigation; default: the title. */
  readonly brief?: string;
  readonly icon: IconName;
  readonly view: FunctionComponent<{ readonly route: Route }>;
  /** Loads its code before it is opened. */
  readonly prepare: () => unknown;
  /** Its heading in docs/web-ui.md. */
  readonly help: string;
}

function place(id: string, icon: IconName, load: () => Promise<Place['view']>, brief?: string): Place {
  const title = id.charAt(0).toUpperCase() + id.slice(1);
  return {
    id,
    title,
    icon,
    view: lazy(load),
    prepare: load,
    help: `web-ui.md#${id}`,
    ...(brief !== undefined && { brief }),
  };
}

export const places: readonly [Place, ...Place[]] = [
  place('messages', 'mail', async () => (await import('../places/messages/panel.js')).Messages),
  place('conversations', 'chat', async () => (await import('../places/conversations/panel.js')).Conversations, 'Chats'),
  place('webhooks', 'webhook', async () => (await import('../places/webhooks/panel.js')).Webhooks),
  place('requests', 'requests', async () => (await import('../places/requests/panel.js')).Requests),
  place('templates', 'template', async () => (await import('../places/templates/panel.js')).Templates),
  place('scenario', 'scenario', async () => (await import('../places/scenario/panel.js')).Scenario),
];
