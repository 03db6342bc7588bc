/** Addresses within this panel; they keep the filter. */
import { here, route } from '../../core/location.js';

type Filter = Readonly<Record<string, string>>;

export function deliveryHref(id: string, attempt?: number, query: Filter = route.value.query): string {
  return here('webhooks', ['deliveries', id, ...(attempt === undefined ? [] : [String(attempt)])], query);
}

export function deliveriesHref(query: Filter = route.value.query): string {
  return here('webhooks', ['deliveries'], query);
}

export function endpointHref(id: string): string {
  return here('webhooks', ['endpoints', id]);
}

/** Returns host and path: the scheme is always https. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '');
}
