/** Endpoints, with their secrets (contract §4). */
import { perform } from '../../account/account.js';
import { showEndpoint } from '../../presenters/control.js';
import { resumeEndpoint } from '../../webhooks/endpoints.js';
import { pause } from '../../webhooks/settle-attempt.js';
import { found } from './find.js';
import type { ControlHandlers } from './handler.js';
import { pageQuery, shownPage } from './listing.js';

export const webhooks: ControlHandlers = {
  listEndpoints: ({ account, query }) =>
    shownPage(account.store.tables.endpoints.page({}, pageQuery(query)), showEndpoint),

  setEndpointStatus: ({ account, params, body }) =>
    perform(account, () => {
      const id = params['id'] ?? '';
      const { status } = body as { status: 'active' | 'paused' };
      const { store, scheduler, clock } = account;
      const endpoint = found(store.tables.endpoints.get(id), 'webhook', id);
      if (status === endpoint.status) return showEndpoint(endpoint);
      if (status === 'paused') {
        pause({ store, scheduler, now: () => clock.now() }, endpoint, 'Paused through the control plane.');
      } else {
        resumeEndpoint(account, endpoint);
        store.tables.endpoints.patch(endpoint, { updatedAtMs: clock.now() });
      }
      return showEndpoint(endpoint);
    }),
};
