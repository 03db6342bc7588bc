/**
 * Registering endpoints (interface §4.9 to §4.11; contract §2 rows 3.3 and 4.10).
 */
import { ServiceError } from '../domain/errors.js';
import type { Endpoint } from '../domain/endpoint.js';
import { maxEndpoints, requireRoom } from '../domain/limits.js';
import type { components } from '../generated/api.js';
import { presentEndpoint, presentRegistration } from '../presenters/endpoint.js';
import { removeEndpoint, resumeEndpoint } from '../webhooks/endpoints.js';
import type { Context, Input } from './operation.js';

type Schemas = components['schemas'];

/** A URL that the account has already is registered again: same id, new secret and events, active (interface §3.3). */
export function createWebhook(context: Context, { body }: Input<Schemas['CreateWebhookRequest']>) {
  const { account, nowMs } = context;
  context.obey(context.decide('webhook.create', { url: body.url, events: body.events }));
  const { store, ids } = account;
  const { endpoints } = store.tables;
  const events = [...new Set(body.events)];
  const url = requireUrl(body.url);
  const known = endpoints.list('url', url).last();
  if (known) {
    resumeEndpoint(account, known);
    return presentRegistration(endpoints.patch(known, { events, secret: ids.secret(), updatedAtMs: nowMs }));
  }
  requireRoom(endpoints.size, maxEndpoints, 'webhooks', 'Remove one with DELETE /v1/webhooks/ID.');
  return presentRegistration(
    endpoints.insert({
      id: ids.uuid(),
      seq: store.nextSeq(),
      url,
      events,
      secret: ids.secret(),
      status: 'active',
      pauseReason: null,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      failingSinceMs: null,
    }),
  );
}

/** Newest first. */
export function listWebhooks({ account }: Context) {
  const all: Endpoint[] = [...account.store.tables.endpoints.all()];
  return { webhooks: all.reverse().map(presentEndpoint) };
}

export function deleteWebhook({ account }: Context, { params }: Input<unknown, { webhook_id: string }>) {
  const endpoint = account.store.tables.endpoints.get(params.webhook_id);
  if (!endpoint) throw new ServiceError('not_found', `The account has no webhook ${params.webhook_id}.`);
  removeEndpoint(account, endpoint);
  return { id: endpoint.id, deleted: true };
}

/** The document's pattern lets through what no URL parser accepts, such as a port of 99999. */
function requireUrl(url: string): string {
  if (URL.canParse(url)) return url;
  const message = 'must be a complete https:// URL with a valid host and port';
  throw new ServiceError('validation_error', `url ${message}.`, { details: [{ field: 'url', message }] });
}
