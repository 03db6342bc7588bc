/**
 * `/_sandbox/ui`: the built web page. Without the control token the status is 401, but the page is the same, and lets a
 * person enter the token: its files contain no data, and it loads all data from the control plane.
 */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import compression from 'compression';
import { Router, type RequestHandler } from 'express';
import { ServiceError } from '../../domain/errors.js';
import { fileAbove } from '../../package-files.js';
import { opensPage, unauthorized } from '../guard.js';
import { explorationPath, pagePath, sendFile } from './files.js';

const yearSeconds = 31_536_000;

/**
 * @param token the control token; null if none is required
 * @param folder the folder of the built page; null if this installation has none
 */
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
  router.get('/assets/:name', ({ params }, response, next) => {
    // Checked each time, because a developer may build the page while the sandbox runs.
    const asset = folder === null ? null : assetOf(folder, params.name);
    if (asset === null) {
      next();
      return;
    }
    // The name is a hash of the content, so other content has another name.
    response.set('Cache-Control', `public, max-age=${yearSeconds}, immutable`);
    sendFile(response, asset, next);
  });
  router.use((request) => {
    throw new ServiceError('not_found', `The web UI has no file ${request.path}. It starts at ${pagePath}.`);
  });
  return router;
}

/** Next to the built files; or, if the sources run, where `npm run build` puts it. */
function builtPage(): string | null {
  const index = fileAbove(join('ui', 'index.html')) ?? fileAbove(join('dist', 'ui', 'index.html'));
  return index === null ? null : dirname(index);
}

/** Only files of this folder are served: the requested name is compared, and never becomes part of a path. */
function assetOf(folder: string, wanted: string): string | null {
  const assets = join(folder, 'assets');
  const name = /\.(?:js|css)$/.test(wanted) ? readdirSync(assets).find((each) => each === wanted) : undefined;
  return name === undefined ? null : join(assets, name);
}

/**
 * Everything is loaded from this sandbox, and nothing is inline. Some browsers do not apply 'self' to a WebSocket of
 * the same host, so it is named.
 */
function policyFor(host: string): string {
  const socket = /^[\w.:[\]-]+$/.test(host) ? ` ws://${host} wss://${host}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${socket}`,
    "img-src 'self' data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Belongs to this process, and is not stored. */
export interface ExplorationReport {
  html: string | null;
}

// The report was written by somebody else's program, so it runs in an origin of its own.
const reportPolicy = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

/** `GET /_sandbox/explore`: the latest report of `explore`, which the command has stored there. */
export function explorationPage(token: string | null, report: ExplorationReport): RequestHandler {
  return (request, response) => {
    if (!opensPage(request, token)) {
      throw unauthorized(`The control plane requires a token. Open ${explorationPath}?control_token=TOKEN.`);
    }
    if (report.html === null) {
      throw new ServiceError('not_found', 'There is no report yet. `messaging-sandbox explore` writes one.');
    }
    response.set({ 'Content-Security-Policy': reportPolicy, 'X-Content-Type-Options': 'nosniff' }).type('html');
    response.send(report.html);
  };
}
