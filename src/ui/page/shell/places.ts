import type { FunctionComponent } from 'preact';
import type { Route } from '../core/route.js';
import type { IconName } from '../parts/icon.js';
import { Conversations } from '../places/conversations/panel.js';
import { Messages } from '../places/messages/panel.js';
import { Requests } from '../places/requests/panel.js';
import { Scenario } from '../places/scenario/panel.js';
import { Templates } from '../places/templates/panel.js';
import { Webhooks } from '../places/webhooks/panel.js';

export interface Place {
  /** Its name in the address. */
  readonly id: string;
  readonly title: string;
  /** Title for a narrow navigation. Default: the title. */
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
  place('conversations', 'chat', Conversations, 'Chats'),
  place('webhooks', 'webhook', Webhooks),
  place('requests', 'requests', Requests),
  place('templates', 'template', Templates),
  place('scenario', 'scenario', Scenario),
];
