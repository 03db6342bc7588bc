import { once } from 'node:events';
import {
  createServer as createHttpServer,
  IncomingMessage,
  maxHeaderSize,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Wire } from '../dialect/wire.js';
import { ServiceError } from '../domain/errors.js';
import type { SystemClock } from '../time/system-clock.js';
import type { Call } from './operations.js';
import { errorResponse, responseText, sendError } from './respond.js';

export interface ServerTimeouts {
  /** Time from the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** Time from the first byte of a request to the end of its body; a snapshot of 256 MB has to fit. */
  readonly requestMs: number;
  readonly checkEveryMs: number;
}

const defaultTimeouts: ServerTimeouts = { headersMs: 30_000, requestMs: 120_000, checkEveryMs: 5_000 };

/** A client that takes longer than the timeouts allow gets 408, and its connection is closed. */
function serverOptions({ headersMs, requestMs, checkEveryMs }: ServerTimeouts): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkEveryMs,
    // Longer than clients keep a connection, or a test pauses at a breakpoint: a reused one must not be closing.
    keepAliveTimeout: 75_000,
    // Node would respond to a request without Host with an empty 400; the guard names the missing header.
    requireHostHeader: false,
    // Node before 24.9 has no option for the requests that switch protocols.
    ...(Number.parseInt(process.versions.node, 10) >= 24
      ? { shouldUpgradeCallback: asksForWebSocket }
      : { IncomingMessage: WebSocketOnlyRequest }),
  };
}

/**
 * True if a request switches protocols. Only a WebSocket does: a server may ignore other upgrades (RFC 9110, 7.8), and
 * Java's client asks for HTTP/2 with each plain call.
 */
export function asksForWebSocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

const asked = Symbol('asked for an upgrade');

class WebSocketOnlyRequest extends IncomingMessage {
  declare [asked]: boolean | null;

  get upgrade(): boolean {
    return this[asked] === true && (this.method === 'CONNECT' || asksForWebSocket(this));
  }

  set upgrade(value: boolean | null) {
    this[asked] = value;
  }
}

/**
 * WebSockets included. The limit is more than any test suite opens and less than the number of file handles: without
 * file handles, the store could not write and no receiver could be reached.
 */
export const maxConnections = 5_000;

/** Closes connections beyond the limit immediately: there is no request to respond to yet. */
export function limitConnections(server: Server, onLimit: (most: number) => void, most = maxConnections): void {
  let reported = false;
  server.maxConnections = most;
  server.on('connection', () => (reported = false));
  server.on('drop', () => {
    if (!reported) onLimit(most);
    reported = true;
  });
}

export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<number> {
  await once(server.listen(port, host), 'listening');
  return (server.address() as AddressInfo).port;
}

const longestCallMs = 1500;

/** Calls in progress may finish; connections of clients that never finish theirs are closed. */
export function closeServer(server: Server, host: SystemClock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = host.setTimer(longestCallMs, () => server.closeAllConnections());
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** A server for plain HTTP or, with certificate and key in PEM, for HTTPS. TLS is loaded only if it is used. */
export async function createServer(
  tls: { readonly cert: string; readonly key: string } | null,
  timeouts: Partial<ServerTimeouts>,
  listener: RequestListener,
): Promise<Server> {
  const options = serverOptions({ ...defaultTimeouts, ...timeouts });
  if (tls === null) return createHttpServer(options, listener);
  const https = await import('node:https');
  // It has every method and event of a plain server that is used here.
  return https.createServer({ ...options, ...tls }, listener);
}

export interface MalformedRequestParts {
  readonly wire: Wire;
  readonly version: string;
  readonly report: (error: unknown) => void;
}

type ClientSocket = Socket & {
  readonly _httpMessage?: (ServerResponse & { readonly req: Call; readonly _headerSent?: boolean }) | null;
};

/**
 * Responds to input that never becomes a call: bytes that are not HTTP, headers that are too large, a client that stops
 * halfway, a CONNECT, an unknown Expect. Node responds to those without a body or not at all; here they get the same
 * envelope as every other error.
 */
export function handleMalformedRequests(server: Server, { wire, version, report }: MalformedRequestParts): void {
  const respond = (socket: ClientSocket, error: ServiceError): void => {
    // A response that has started cannot be replaced, and a closed socket cannot be written to.
    if (!socket.writable || socket._httpMessage?._headerSent === true) {
      socket.destroy();
      return;
    }
    const response = errorResponse(error, wire, report);
    const headers = { ...response.headers, 'X-Sandbox': version };
    socket.end(responseText({ ...response, headers }), () => socket.destroy());
  };
  server.on('clientError', (error: ParseError, socket: ClientSocket) => {
    const failure = parseFailure(error);
    const open = socket._httpMessage;
    const { reply } = open?.req ?? {};
    if (error.code === 'ECONNRESET') socket.destroy();
    else if (open && !open.headersSent && reply) {
      // A call whose body does not end has an account, whose journal has the response.
      open.setHeader('Connection', 'close');
      reply.fail(failure);
    } else respond(socket, failure);
  });
  server.on('connect', (_request: unknown, socket: ClientSocket) => {
    socket.on('error', () => undefined);
    const message =
      'CONNECT is not supported: the sandbox is not a proxy. Call it by its own URL, and remove it from the proxy settings.';
    const headers = { Allow: 'GET, HEAD, POST, PUT, DELETE' };
    respond(socket, new ServiceError('method_not_allowed', message, { headers }));
  });
  server.on('checkExpectation', (request: Call, response: ServerResponse) => {
    const { headers, url } = request;
    const message = `The Expect header "${headers.expect ?? ''}" is not supported. Send "Expect: 100-continue", or omit the header.`;
    const error = new ServiceError('expectation_failed', message);
    if (url.startsWith('/v1/')) {
      request.refusal = error;
      response.setHeader('Connection', 'close');
      server.emit('request', request, response);
      return;
    }
    sendError(response, error, { wire, report }, { 'X-Sandbox': version, Connection: 'close' });
  });
}

type ParseError = Error & { readonly code?: string; readonly reason?: string };

function parseFailure({ code, reason }: ParseError): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError(
        'headers_too_large',
        `The headers of the request are larger than ${maxHeaderSize / 1024} KB (${maxHeaderSize} bytes).`,
      );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('payload_too_large', 'The chunk extensions of the request body are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError(
        'request_timeout',
        'The complete request did not arrive in time. Send its headers and its body without a pause.',
      );
    default: {
      const why = reason ? `: ${reason.replace(/\.$/, '')}` : '';
      return new ServiceError('validation_error', `The request is not valid HTTP${why}.`);
    }
  }
}
