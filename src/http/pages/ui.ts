/**
 * `/_sandbox/ui`: the built web page. Without the control token the status is 401, but the page is the same, and lets a
 * person enter the token: its files contain no data, and it loads all data from the control plane.
 */
import { dirname, extname, join } from 'node:path';
import compression from 'compression';
import express, { Router, type RequestHandler } from 'express';
import { ServiceError } from '../../domain/errors.js';
import { fileAbove } from '../../package-files.js';
import { opensPage, requirePageToken } from '../guard.js';
import { explorationPath, pagePath, sendFile } from './files.js';

export function page(token: string | null, folder = builtPage()): Router {
  const router = Router();
  router.use(compression());
  router.get(['/', '/index.html'], (request, response, next) => {
    if (folder === null) throw new ServiceError('not_found', 'The web UI is not built. Run `npm run build`.');
    if (!opensPage(request, token)) response.status(401).set('WWW-Authenticate', 'Bearer');
    response.set('Content-Security-Policy', policyFor(request.headers.host ?? ''));
    response.set({ 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' });
    sendFile(response, join(folder, 'index.html'), next);
  });
  if (folder !== null) {
    // The name is a hash of the content, so other content has another name.
    const files = express.static(folder, {
      ...{ immutable: true, maxAge: '1y', index: false, redirect: false },
      setHeaders: (response) => response.setHeader('X-Content-Type-Options', 'nosniff'),
    });
    router.get(/^\/assets\/[\w.-]+\.(?:js|css)$/, bestCompressed, files);
  }
  router.use((request) => {
    throw new ServiceError('not_found', `The web UI has no file ${request.path}. It starts at ${pagePath}.`);
  });
  return router;
}

/** Chooses the file that the build has compressed, which is smaller than what is compressed while one waits. */
const bestCompressed: RequestHandler = (request, response, next) => {
  if (request.acceptsEncodings('br')) {
    response.type(extname(request.path)).set({ 'Content-Encoding': 'br', Vary: 'Accept-Encoding' });
    request.url += '.br';
  }
  next();
};

/** Next to the built files; or, if the sources run, where `npm run build` puts it. */
function builtPage(): string | null {
  const index = fileAbove(join('ui', 'index.html')) ?? fileAbove(join('dist', 'ui', 'index.html'));
  return index === null ? null : dirname(index);
}

/**
 * Everything is loaded from this sandbox, and nothing is inline. Some browsers do not apply 'self' to a WebSocket of
 * the same host, so it is named.
 */
function policyFor(host: string): string {
  const socket = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'${socket}; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
}

/** Belongs to this process, and is not stored. */
export interface ExplorationReport {
  html: string | null;
}

// The report was written by somebody else's program, so it runs in a separate origin.
const reportPolicy = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

export function explorationPage(token: string | null, report: ExplorationReport): RequestHandler {
  return (request, response) => {
    requirePageToken(request, token, explorationPath);
    if (report.html === null)
      throw new ServiceError('not_found', 'There is no report yet. `messaging-sandbox explore` writes one.');
    response.set({ 'Content-Security-Policy': reportPolicy, 'X-Content-Type-Options': 'nosniff' }).type('html');
    response.send(report.html);
  };
}
