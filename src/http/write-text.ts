import type { ServerResponse } from 'node:http';

/** Ends an answer with a text. To HEAD its length is told as to GET, and its bytes are not sent. */
export function writeText(response: ServerResponse, type: string, text: string): void {
  response.setHeader('Content-Type', type).setHeader('Content-Length', Buffer.byteLength(text)).end(text);
}
