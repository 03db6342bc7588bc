import { ServiceError } from '../domain/errors.js';
import type { Endpoint } from '../domain/rows.js';
import { nameInWords } from '../domain/text.js';
import type { components } from '../generated/api.js';
import { presentEndpoint, presentRegistration } from '../presenters/api.js';
import { registerEndpoint, removeEndpoint } from '../webhooks/endpoints.js';
import type { AccountCall } from '../account/call.js';
import type { Input } from './operation.js';

type Schemas = components['schemas'];

/** A known URL is registered again: it keeps its id, gets a new secret and new events, and becomes active. */
export function createWebhook(call: AccountCall, { body }: Input<Schemas['CreateWebhookRequest']>) {
  const { account } = call;
  call.applyDecision(call.decide('webhook.create', { url: body.url, events: body.events }));
  // Not the original body: its other fields are ignored, and the sandbox generates the secret.
  const { url, events } = body;
  return presentRegistration(registerEndpoint(account, { url, events }));
}

/** Newest first. */
export function listWebhooks({ account }: AccountCall) {
  const all: Endpoint[] = [...account.store.tables.endpoints.all()];
  return { webhooks: all.reverse().map(presentEndpoint) };
}

export function deleteWebhook({ account }: AccountCall, { params }: Input<unknown, { webhook_id: string }>) {
  const endpoint = account.store.tables.endpoints.get(params.webhook_id.toLowerCase());
  if (!endpoint) throw new ServiceError('not_found', `The account has no webhook ${nameInWords(params.webhook_id)}.`);
  removeEndpoint(account, endpoint);
  return { id: endpoint.id, deleted: true };
}
