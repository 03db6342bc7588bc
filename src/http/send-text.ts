import type { ServerResponse } from 'node:http';

// Written out in full: Express would complete a shorter name from a database of all media types, and load that first.
export const jsonType = 'application/json; charset=utf-8';
export const textType = 'text/plain; charset=utf-8';

/** Ends a response with a text. For HEAD Node sends its length and leaves the bytes out. */
export function sendText(response: ServerResponse, type: string, text: string): void {
  response.setHeader('Content-Type', type).setHeader('Content-Length', Buffer.byteLength(text)).end(text);
}

/** Ends a response with a value as JSON. */
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
