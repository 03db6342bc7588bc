/**
 * Responds to input that never becomes a call: bytes that are not HTTP, headers that are too large, a client that stops
 * halfway, a CONNECT, an unknown Expect. Node responds to those without a body or not at all; here they get the same
 * envelope as every other error.
 */
import { maxHeaderSize, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Dialect } from '../dialect/index.js';
import { ServiceError } from '../domain/errors.js';
import { errorResponse, responseText, sendError } from './respond.js';

export interface MalformedRequestParts {
  readonly dialect: Dialect;
  readonly version: string;
  readonly report: (error: unknown) => void;
}

export function handleMalformedRequests(server: Server, { dialect, version, report }: MalformedRequestParts): void {
  server.on('clientError', (error: ParseError, socket: ClientSocket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else respond(socket, asServiceError(error));
  });
  server.on('connect', (_request: unknown, socket: ClientSocket) => {
    socket.on('error', () => undefined);
    respond(socket, noTunnel());
  });

  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const error = unknownExpectation(request.headers.expect);
    sendError(response, error, { dialect, report }, { 'X-Sandbox': version, Connection: 'close' });
  });

  function respond(socket: ClientSocket, error: ServiceError): void {
    // A response that has started cannot be replaced, and a closed socket cannot be written to.
    if (!socket.writable || socket._httpMessage?._headerSent === true) {
      socket.destroy();
      return;
    }
    const response = errorResponse(error, dialect, report);
    const headers = { ...response.headers, 'X-Sandbox': version };
    socket.end(responseText({ ...response, headers }), () => socket.destroy());
  }
}

function noTunnel(): ServiceError {
  return new ServiceError(
    'method_not_allowed',
    'CONNECT is not supported: the sandbox is not a proxy. Call it by its own URL, and remove it from the proxy settings.',
    { headers: { Allow: 'GET, HEAD, POST, PUT, DELETE' } },
  );
}

function unknownExpectation(found = ''): ServiceError {
  return new ServiceError(
    'expectation_failed',
    `The Expect header "${found}" is not supported. Send "Expect: 100-continue", or omit the header.`,
  );
}

/** The error as Node's parser reports it. */
type ParseError = Error & { readonly code?: string; readonly reason?: string };

type ClientSocket = Socket & { readonly _httpMessage?: { readonly _headerSent?: boolean } | null };

function asServiceError({ code, reason }: ParseError): ServiceError {
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
    default:
      return new ServiceError(
        'validation_error',
        `The request is not valid HTTP${reason ? `: ${reason.replace(/\.$/, '')}` : ''}.`,
      );
  }
}
