import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { NextFunction as Next } from 'express';

/**
 * Sends a file of the package.
 * @param next called if it cannot be opened: a build may be running
 */
export function sendFile(
  response: ServerResponse,
  path: string,
  type: string,
  next: Next,
  open = createReadStream,
): void {
  const file = open(path);
  file.once('error', next);
  file.once('open', () => {
    file.off('error', next);
    response.setHeader('Content-Type', type).setHeader('X-Content-Type-Options', 'nosniff');
    // Each stream ends the other. No error is reported: the client has disconnected, or the file ended early.
    pipeline(file, response, () => undefined);
  });
}
