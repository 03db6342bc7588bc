/** How long a client may take to say what it wants; one that dawdles holds a connection that others could have (contract §9). */
import type { ServerOptions } from 'node:http';

/** All in machine milliseconds. */
export interface ServerTimeouts {
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte of a request to the end of its body; a snapshot of 256 MB has to fit. */
  readonly requestMs: number;
  /** How often the two are looked at. */
  readonly checkEveryMs: number;
}

export const defaultTimeouts: ServerTimeouts = { headersMs: 30_000, requestMs: 120_000, checkEveryMs: 5_000 };

/** As Node calls them. Who takes longer is answered 408, and the connection ends. */
export function socketTimeouts({ headersMs, requestMs, checkEveryMs }: ServerTimeouts): ServerOptions {
  return { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkEveryMs };
}
