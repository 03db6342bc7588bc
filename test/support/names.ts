import type { Lookup } from '../../src/webhooks/addresses.js';

/**
 * A resolver that knows only the given names at the moment of the lookup. An entry that looks like an error code makes
 * the lookup fail with it; an unknown name does not exist.
 */
export function namesFrom(names: Readonly<Record<string, readonly string[]>>): Lookup {
  return (host) => {
    const addresses = names[host] ?? ['ENOTFOUND'];
    const failure = addresses.find((address) => /^E[A-Z_]+$/.test(address));
    if (failure !== undefined)
      return Promise.reject(Object.assign(new Error(`getaddrinfo ${failure} ${host}`), { code: failure }));
    return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
}
