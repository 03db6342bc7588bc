/** Addresses in this panel; whatever is opened, the filter stays. */
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

/** Host and path: the scheme is always the same. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, '');
}
