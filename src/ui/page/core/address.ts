import { signal } from '@preact/signals';
import { hrefOf, parseRoute, type Query } from './route.js';

export const route = signal(parseRoute(location.hash));

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});

export function go(href: string): void {
  location.hash = href;
}

/** Goes to a place without a new entry in the browser's history. Used for filters, which change with every letter. */
export function replace(href: string): void {
  history.replaceState(null, '', href);
  route.value = parseRoute(location.hash);
}

export function here(place: string, path: readonly string[] = [], query: Query = {}): string {
  return hrefOf(route.value.key ?? '', place, path, query);
}

/** Returns the `href` of what is open, with some parts of the query changed. */
export function filtered(change: Query): string {
  const { place, path, query } = route.value;
  return here(place, path, { ...query, ...change });
}
