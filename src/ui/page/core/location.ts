/** The browser's address as a signal, and ways to change it. */
import { signal } from '@preact/signals';
import { hrefOf, parseRoute, type Query } from './route.js';

export const route = signal(parseRoute(location.hash));

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});

/** Goes to a place, as a link would. */
export function go(href: string): void {
  location.hash = href;
}

/** Goes to a place without a new entry in the browser's history: for filters typed letter by letter. */
export function replace(href: string): void {
  history.replaceState(null, '', href);
  route.value = parseRoute(location.hash);
}

/** The `href` of a place in the account that is shown. */
export function here(panel: string, path: readonly string[] = [], query: Query = {}): string {
  return hrefOf(route.value.key ?? '', panel, path, query);
}
