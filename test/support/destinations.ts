import { checkHost, targetOf, type CheckedHost, type HostTarget, type Lookup } from '../../src/webhooks/addresses.js';
import type { WebhookRoute } from '../../src/domain/webhook.js';
import { SendFailure } from '../../src/webhooks/send-error.js';

export interface Guard {
  readonly lookup: Lookup;
  readonly routes?: readonly WebhookRoute[];
  readonly allowPublic?: boolean;
}

/** Where the requests of an endpoint go, with the checked addresses of a host; or the failure that says why nowhere. */
export async function destinationOf(url: string, { lookup, routes = [], allowPublic = false }: Guard) {
  try {
    const target = targetOf(url, routes);
    return target.kind === 'host' ? { ...target, ...(await checkHost(target, lookup, allowPublic)) } : target;
  } catch (error) {
    if (error instanceof SendFailure) return error;
    throw error;
  }
}

export type Found = HostTarget & CheckedHost;
