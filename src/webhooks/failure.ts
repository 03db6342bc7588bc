import { existsSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { isLoopbackAddress, type ResolvedAddress } from './addresses.js';
import { SendFailure } from './send-error.js';

/** No connection was established; `cause` is the error of the system or of TLS. No part of the request was sent. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  constructor(cause: unknown) {
    super('the connection could not be opened', { cause });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export interface Peer {
  /** Name or address, for TLS and the `host` header. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly ResolvedAddress[];
  /** `none` = plain, `local` = TLS with any certificate, `verify` = TLS with a trusted one. */
  readonly tls: 'none' | 'local' | 'verify';
  /** Without the scheme's default port, as in a URL and the `host` header. */
  readonly authority: string;
  readonly origin: string;
}

/** Longer response heads are rejected, because a receiver may never end one. */
export const maxHeadBytes = 16 * 1024;

const HANG_UPS = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];
const UNREACHABLE = ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'ENETDOWN', 'ETIMEDOUT', 'EACCES'];

function isHangUp(error: unknown): boolean {
  const code = codeOf(error);
  // undici uses one code for a closed connection and for a response that it cannot accept ("bad response", "bad
  // upgrade").
  return HANG_UPS.includes(code) || (code === 'UND_ERR_SOCKET' && !/^bad /.test((error as Error).message));
}

export function explainFailure(error: unknown, peer: Peer, insideContainer: boolean): SendFailure {
  if (error instanceof SendFailure) return error;
  if (error instanceof ConnectError) return explainUnconnected(error.cause, peer, insideContainer);
  const target = describe(peer);
  if (codeOf(error) === 'UND_ERR_INVALID_ARG') {
    return new SendFailure('invalid_request', `The request cannot be sent as HTTP: ${detailOf(error)}.`);
  }
  if (isHangUp(error)) {
    return new SendFailure(
      'connection_reset',
      `${target} closed the connection without a response.`,
      peer.tls === 'none' ? hangUpHint : `${clientCertificateHint} ${hangUpHint}`,
    );
  }
  const problem = problemOf(error);
  return problem === null
    ? new SendFailure('connection_failed', `The exchange with ${target} failed: ${detailOf(error)}.`)
    : new SendFailure('invalid_response', `The response of ${target} is not valid HTTP/1.1: ${problem}.`);
}

const hangUpHint =
  'The receiver accepted the connection and closed it: look for a crash or an early exit in its handler.';
/** With TLS 1.3, the handshake has succeeded when a receiver finds that the certificate of its client is missing. */
const clientCertificateHint =
  'Does the receiver require a client certificate? The service has none, so it must accept connections without one.';

const TLS_HINTS = {
  verify: 'Only certificates of local hosts are not verified; a public receiver needs a valid one.',
  local: 'The host supports TLS, but the handshake failed. Does it require a client certificate or an old TLS version?',
};

function explainUnconnected(error: unknown, peer: Peer, insideContainer: boolean): SendFailure {
  const code = codeOf(error);
  const target = describe(peer);
  if (code === 'ECONNREFUSED') {
    const hint = nothingListensHint(peer, insideContainer);
    return new SendFailure('connection_refused', `${target} refused the connection.`, hint);
  }
  if (UNREACHABLE.includes(code)) {
    return new SendFailure('host_unreachable', `${target} could not be reached (${code}).`);
  }
  if (isHangUp(error)) {
    return new SendFailure('connection_reset', `${target} closed the connection before it was established.`);
  }
  const detail = detailOf(error);
  if (peer.tls === 'none') return new SendFailure('connection_failed', `No connection to ${target}: ${detail}.`);
  return new SendFailure('tls_error', `No TLS connection to ${target}: ${detail}.`, TLS_HINTS[peer.tls]);
}

function problemOf(error: unknown): string | null {
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return `its head is longer than ${maxHeadBytes} bytes`;
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'its Content-Length contradicts the rest of its head';
  // The two socket errors of undici that do not mean a closed connection.
  if (code === 'UND_ERR_SOCKET') return 'it starts with a status that was not requested, such as 101';
  if (!(error instanceof Error) || error.name !== 'HTTPParserError') return null;
  const { message, data = '' } = error as Error & { data?: string };
  const reason = /\((.*)\)$/.exec(message)?.[1] ?? message;
  return data === '' ? reason : `${reason}, found ${JSON.stringify(data.slice(0, 40))}`;
}

/** The origin with its explicit port, and the address behind a name, because these are often unexpected. */
function describe(peer: Peer): string {
  const others = peer.addresses.map(({ address }) => address).filter((address) => address !== peer.host);
  const port = `:${peer.port}`;
  const origin = peer.origin.replace(new RegExp(`(?:${port})?$`), port);
  return others.length === 0 ? origin : `${origin} (${others.join(', ')})`;
}

function nothingListensHint({ host, port, addresses }: Peer, insideContainer: boolean): string {
  const loopback = addresses.every(({ address }) => isLoopbackAddress(address));
  const parts = [`No server is listening on port ${port}.`];
  if (port === 443) parts.push('A URL without a port means 443: add the port of your server.');
  else parts.push('Start your server, or correct the port in the URL.');
  // Only in a container is the loopback address a different machine from the user's.
  if (loopback && insideContainer) {
    parts.push(
      `If your server runs outside this container, ${host} does not reach it: register ` +
        `https://host.docker.internal:${port} (on Linux start with --add-host=host.docker.internal:host-gateway), ` +
        'and for a server in another container its service name.',
    );
  } else if (!loopback) parts.push('A server that listens only on 127.0.0.1 is not reachable from here.');
  return parts.join(' ');
}

function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  const text = error.message.trim().replace(/\.$/, '');
  return code === '' || text.includes(code) ? text : `${text} (${code})`;
}

/** A redirect is a failed delivery, because redirects are not followed. */
export function statusFailure(status: number, location: string | undefined): SendFailure {
  const reason = STATUS_CODES[status];
  const statusText = reason === undefined ? `${status}` : `${status} ${reason}`;
  if (redirects.has(status)) {
    const where = location === undefined ? '' : ` to ${location}`;
    return new SendFailure(
      'redirect_not_followed',
      `The receiver responded with ${statusText}${where}; redirects are never followed.`,
      'Register the final URL, or respond with 2xx at this one. Frameworks often redirect because of a trailing slash.',
    );
  }
  return new SendFailure(
    'non_2xx',
    `The receiver responded with ${statusText}; only a 2xx counts as received.`,
    HINTS[status],
  );
}

/** The statuses that redirect; 304 is in the same range and does not. */
const redirects = new Set([300, 301, 302, 303, 307, 308]);

const SIGNATURE_HINT =
  'If the receiver rejected the signature: compute it over the raw body, with the whole secret, including whsec_.';

const HINTS: Readonly<Partial<Record<number, string>>> = {
  304: '304 is a response to a conditional GET, and a webhook is a POST; look for a cache or a proxy in front of the receiver.',
  400: SIGNATURE_HINT,
  401: SIGNATURE_HINT,
  403: SIGNATURE_HINT,
  404: 'Nothing is served at this path; webhooks are POSTed to the exact URL that was registered.',
  405: 'The path exists, but does not accept POST.',
};

/** Files that container runtimes leave at the root of a container: Docker's, then Podman's. */
const MARKS = ['/.dockerenv', '/run/.containerenv'] as const;

/** Inside a container, 127.0.0.1 is the container and not the developer's machine. */
export function isInsideContainer(
  env: Readonly<Record<string, string | undefined>>,
  fileExists: (path: string) => boolean = existsSync,
): boolean {
  const cluster = env['KUBERNETES_SERVICE_HOST'];
  return (cluster !== undefined && cluster !== '') || MARKS.some((path) => fileExists(path));
}
