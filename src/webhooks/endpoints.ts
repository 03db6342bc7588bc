/** Call these functions only inside a write. */
import { invalidField, limitReached } from '../domain/errors.js';
import { byDefault } from '../domain/explain.js';
import { maxEndpoints } from '../domain/limits.js';
import type { Endpoint } from '../domain/rows.js';
import { addressOf } from '../domain/webhook.js';
import type { EventType } from '../domain/words.js';
import { deliverHeld } from './redeliver.js';
import { deliveriesIn, endAttempts, setStreak, type WebhookAccount } from './outcome.js';

type Parts = Pick<WebhookAccount, 'store' | 'scheduler'>;

/** `new`: only new events. `held`: the held deliveries as well. */
export type ResumeRule = 'new' | 'held';

/**
 * A URL that is already registered keeps its id, gets a new secret and these events, and becomes active again.
 * @throws ServiceError `validation_error` for an invalid URL, `limit_reached`
 */
export function registerEndpoint(
  account: Omit<WebhookAccount, 'script'> & { readonly dialect: { webhooks: { resume: ResumeRule } } },
  wanted: { readonly url: string; readonly events: readonly EventType[]; readonly secret?: string | undefined },
): Endpoint {
  const { store, ids, dialect, clock } = account;
  const { endpoints } = store.tables;
  const { url } = wanted;
  const nowMs = clock.now();
  const events = [...new Set(wanted.events)];
  // The pattern of the document accepts URLs that are not valid, such as one with port 99999.
  if (!URL.canParse(url)) throw invalidField('url', 'must be a complete https:// URL with a valid host and port');
  const known = endpoints.all().findLast((row) => addressOf(row.url) === addressOf(url));
  if (known) {
    resumeEndpoint(account, known);
    unsubscribe(
      account,
      known,
      known.events.filter((type) => !events.includes(type)),
    );
    endpoints.patch(known, { events, secret: wanted.secret ?? ids.secret(), updatedAtMs: nowMs });
    if (dialect.webhooks.resume === 'held') deliverHeld(account, known);
    return known;
  }
  if (endpoints.size >= maxEndpoints) {
    throw limitReached(endpoints.size, 'webhooks', 'Remove one with DELETE /v1/webhooks/ID.');
  }
  return endpoints.insert({
    id: ids.uuid('endpoint'),
    seq: store.nextSeq(),
    url,
    events,
    secret: wanted.secret ?? ids.secret(),
    status: 'active',
    pauseReason: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    failingSinceMs: null,
  });
}

function unsubscribe(account: Parts, endpoint: Endpoint, types: readonly EventType[]): void {
  for (const delivery of deliveriesIn(account, endpoint, 'pending', 'retrying')) {
    const { eventType } = delivery;
    if (!types.includes(eventType)) continue;
    const why = byDefault(`Dropped (unsubscribed): the endpoint no longer subscribes to ${eventType}.`);
    endAttempts(account, delivery, 'dropped', why);
  }
}

/** Held deliveries stay held until they are redelivered. */
export function resumeEndpoint(account: Parts, endpoint: Endpoint): void {
  const { deliveries, endpoints } = account.store.tables;
  setStreak(account, endpoint, null);
  for (const delivery of deliveriesIn(account, endpoint, 'retrying')) {
    deliveries.patch(delivery, { failingSinceMs: null });
  }
  if (endpoint.status === 'paused') endpoints.patch(endpoint, { status: 'active', pauseReason: null });
}

export function removeEndpoint(account: Parts, endpoint: Endpoint): void {
  account.scheduler.cancelOf(endpoint.id);
  for (const delivery of deliveriesIn(account, endpoint, 'pending', 'retrying', 'held')) {
    endAttempts(account, delivery, 'dropped', byDefault('Dropped: the endpoint was removed.'));
  }
  account.store.tables.endpoints.delete(endpoint);
}
