import { lookup } from 'node:dns/promises';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Turns a name into all its addresses, in the order in which they should be tried.
 * Rejects with a `code` of ENOTFOUND when the name does not exist, and with another one when nobody could say.
 */
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>;

/** The machine's own resolver: hosts file first, compose and container names included. */
export const systemLookup: Lookup = async (host) => {
  const addresses = await lookup(host, { all: true, verbatim: true });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};
