import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { embeddedFile } from '../../package-files.js';
import type { Next } from '../api/request-context.js';

/**
 * Sends a file of the package.
 * @param next called when it cannot be opened: it may be being built
 */
export function sendFile(
  response: ServerResponse,
  path: string,
  type: string,
  next: Next,
  open = createReadStream,
): void {
  const label = () => response.setHeader('Content-Type', type).setHeader('X-Content-Type-Options', 'nosniff');
  const bytes = embeddedFile(path);
  if (bytes !== null) {
    label().end(bytes);
    return;
  }
  const file = open(path);
  file.once('error', next);
  file.once('open', () => {
    file.off('error', next);
    label();
    // Whichever ends first ends the other. No error is reported: the client is gone, or the file ended early.
    pipeline(file, response, () => undefined);
  });
}
