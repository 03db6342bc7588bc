import type { NextFunction, Response } from 'express';

/** The build writes it into the page's own links. */
export const pagePath = '/_sandbox/ui';
export const docsPath = '/_sandbox/docs';
export const explorationPath = '/_sandbox/explore';

/**
 * Sends a file of the package, which may be in a folder such as `~/.npm`.
 * @param next called if it cannot be opened: a build may be running
 */
export function sendFile(response: Response, path: string, next: NextFunction): void {
  response.set('X-Content-Type-Options', 'nosniff');
  const settings = { dotfiles: 'allow', cacheControl: false, etag: false, lastModified: false } as const;
  response.sendFile(path, settings, (error?: Error) => {
    if (error && !response.headersSent) next(error);
  });
}
