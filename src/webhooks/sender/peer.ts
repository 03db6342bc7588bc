import { lookup } from 'node:dns/promises';
import { connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Resolves a name to all its addresses, in the order in which they should be tried. Rejects with a `code` of ENOTFOUND
 * if the name does not exist, and with another one if the lookup failed.
 */
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>;

/** The machine's own resolver: hosts file first, compose and container names included. */
export const systemLookup: Lookup = async (host) => {
  const addresses = await lookup(host, { all: true, verbatim: true });
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** A host whose addresses have been checked, and the protocol. */
export interface PeerParts {
  /** Name or address, for TLS and the `host` header. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly ResolvedAddress[];
  /** `none` = plain, `local` = TLS with any certificate, `verify` = TLS with a trusted one. */
  readonly tls: 'none' | 'local' | 'verify';
}

/** The other end of a connection. */
export interface Peer extends PeerParts {
  /**
   * Peers with the same key may share connections. The addresses are part of it: if they change, the name is a
   * different peer.
   */
  readonly key: string;
  /** In the form of a URL and the `host` header: without the scheme's default port. */
  readonly authority: string;
  /** In the form of a URL's origin. */
  readonly origin: string;
}

export function peerOf({ host, port, addresses, tls }: PeerParts): Peer {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  const authority = port === (tls === 'none' ? 80 : 443) ? name : `${name}:${port}`;
  return {
    host,
    port,
    addresses,
    tls,
    key: `${tls}|${host}:${port}|${addresses.map(({ address }) => address).join(',')}`,
    authority,
    origin: `${tls === 'none' ? 'http' : 'https'}://${authority}`,
  };
}

/**
 * How long one of several addresses is tried before the next. Node's default of 250 ms can expire while the event loop
 * is blocked, which would drop an address that did respond.
 */
const ADDRESS_PATIENCE_MS = 2_500;

/**
 * Opens a socket to the first of the peer's checked addresses that responds. No name is looked up again, so that DNS
 * cannot change between check and use. Emits `connect` and, with TLS, `secureConnect`.
 */
export function openSocket(peer: Peer): Socket {
  const { host, port } = peer;
  const options = {
    host,
    port,
    lookup: pinnedLookup(peer.addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_PATIENCE_MS,
    noDelay: true,
  };
  if (peer.tls === 'none') return connectPlain(options);
  return connectTls({
    ...options,
    // The TLS extension allows only names; an address in it makes some servers close the connection.
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: peer.tls === 'verify',
    ALPNProtocols: ['http/1.1'],
  });
}

function pinnedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error('a peer without addresses'), '');
    else if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
