import { hostNameOf } from '../../domain/host-name.js';
import type { WebhookRoute } from '../../domain/webhook-route.js';

/**
 * Where `url` is sent according to the routes, or null when none fits. Among those that fit, one that names the
 * port beats one that does not, then the longest path prefix wins, then the one given first. The rest of the path
 * and the query are appended to the route's target.
 */
export function applyRoutes(routes: readonly WebhookRoute[], url: URL): URL | null {
  let best: WebhookRoute | undefined;
  for (const route of routes) {
    if (fits(route, url) && (best === undefined || isCloser(route, best))) best = route;
  }
  if (best === undefined) return null;
  const rest = url.pathname.slice(best.from.pathPrefix.length);
  return new URL(best.to.origin + best.to.path + rest + url.search);
}

function fits({ from }: WebhookRoute, url: URL): boolean {
  if (from.host !== hostNameOf(url)) return false;
  if (from.port !== null && from.port !== url.port) return false;
  return url.pathname === from.pathPrefix || url.pathname.startsWith(`${from.pathPrefix}/`);
}

function isCloser({ from: a }: WebhookRoute, { from: b }: WebhookRoute): boolean {
  if ((a.port === null) !== (b.port === null)) return a.port !== null;
  return a.pathPrefix.length > b.pathPrefix.length;
}
