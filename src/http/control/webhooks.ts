/** Endpoints, with their secrets. */
import { transaction } from '../../account/account.js';
import type { EventType } from '../../domain/words.js';
import { showEndpoint } from '../../presenters/control/records.js';
import { registerEndpoint, removeEndpoint, resumeEndpoint, pause } from '../../webhooks/endpoints.js';
import { found } from './given-values.js';
import type { ControlHandlers } from './handler.js';

interface EndpointInput {
  readonly url: string;
  readonly events: readonly EventType[];
  readonly secret?: string;
}

export const webhooks: ControlHandlers = {
  registerEndpoint: ({ account, body }) =>
    transaction(account, () => showEndpoint(registerEndpoint(account, body as EndpointInput, account.clock.now()))),

  removeEndpoint: ({ account, name: id }) =>
    transaction(account, () => {
      removeEndpoint(account, found(account, 'endpoints', id));
      return undefined;
    }),

  setEndpointStatus: ({ account, name: id, body }) =>
    transaction(account, () => {
      const { status } = body as { status: 'active' | 'paused' };
      const { store, scheduler, clock } = account;
      const endpoint = found(account, 'endpoints', id);
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
