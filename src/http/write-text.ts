import type { ServerResponse } from 'node:http';

/** The head of an answer that is a text. To HEAD its length is told as to GET. */
export function textHead(response: ServerResponse, type: string, text: string): ServerResponse {
  return response.setHeader('Content-Type', type).setHeader('Content-Length', Buffer.byteLength(text));
}

/** Ends an answer with a text. To HEAD its bytes are not sent. */
export function writeText(response: ServerResponse, type: string, text: string): void {
  textHead(response, type, text).end(text);
}
