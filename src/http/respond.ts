import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Wire } from '../dialect/wire.js';
import { errorTable, invalidField, ServiceError } from '../domain/errors.js';
import { mustBe } from '../domain/must-be.js';

// The full media type: Express would complete a short one from a database of all media types, and load that first.
export const jsonType = 'application/json; charset=utf-8';
export const textType = 'text/plain; charset=utf-8';

/** Ends a response with a text. For HEAD, Node sends its length without the bytes. */
export function sendText(response: ServerResponse, type: string, text: string): void {
  response.setHeader('Content-Type', type).setHeader('Content-Length', Buffer.byteLength(text)).end(text);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: object,
): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendText(response, jsonType, JSON.stringify(body));
}

export interface ErrorResponse {
  readonly code: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

export function errorResponse(error: unknown, wire: Wire, report: (error: unknown) => void): ErrorResponse {
  const known = error instanceof ServiceError ? error : error instanceof URIError ? notEncoded(error) : null;
  if (!known || known.code === 'internal_error') report(error);
  const described =
    known ?? new ServiceError('internal_error', 'The sandbox failed to handle this call; see its log for the reason.');
  const { code, message, details, headers = {}, extra } = described;
  const shown = { code, message, ...(details && details.length > 0 && { details }), ...extra };
  const status = wire.statusOf(code) ?? errorTable[code].status;
  return { code, status, headers, body: wire.error(shown, status) };
}

/** Express rejects a path whose percent-encoding is invalid. */
function notEncoded({ message }: URIError): ServiceError {
  const [, found = ''] = /'(.*)'/.exec(message) ?? [];
  return invalidField('path', mustBe('percent-encoded: % and two hex digits, with % itself as %25', found));
}

export function sendError(
  response: ServerResponse,
  error: unknown,
  { wire, report }: { readonly wire: Wire; readonly report: (error: unknown) => void },
  more: Readonly<Record<string, string>> = {},
): void {
  const { status, headers, body } = errorResponse(error, wire, report);
  sendJson(response, status, { ...headers, ...more }, body);
}

export function responseText({ status, headers, body }: Omit<ErrorResponse, 'code'>): string {
  const text = JSON.stringify(body);
  const all = {
    ...headers,
    'Content-Type': jsonType,
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`;
}
