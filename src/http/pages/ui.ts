/**
 * `/_sandbox/ui`: the web page as the build made it. Without the control token it answers 401, and what it brings along is
 * the same page, where a person gives the token: its files hold no data, and what it shows it asks of the control plane.
 */
import { dirname, extname, join } from 'node:path';
import { Router } from 'express';
import { ServiceError } from '../../domain/errors.js';
import { fileAbove, namesIn } from '../../package-files.js';
import { opensPage } from '../guard.js';
import { sendFile } from './send-file.js';

/** Where the page is served; the build writes it into the page's own links. */
export const pagePath = '/_sandbox/ui';

const htmlType = 'text/html; charset=utf-8';
const assetTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const yearSeconds = 31_536_000;

/**
 * @param token the control token; null: none is wanted
 * @param folder where the built page lies; null: this installation has none
 */
export function page(token: string | null, folder = builtPage()): Router {
  const router = Router();
  router.get(['/', '/index.html'], (request, response, next) => {
    if (folder === null) throw new ServiceError('not_found', 'The web UI is not built. Run `npm run build`.');
    if (!opensPage(request, token)) response.status(401).set('WWW-Authenticate', 'Bearer');
    response.set('Content-Security-Policy', policyFor(request.headers.host ?? ''));
    response.set({ 'Cache-Control': 'no-cache', 'Referrer-Policy': 'no-referrer' });
    sendFile(response, join(folder, 'index.html'), htmlType, next);
  });
  router.get('/assets/:name', ({ params }, response, next) => {
    // Looked up each time, because a developer may build the page while the sandbox runs.
    const asset = folder === null ? null : assetOf(folder, params.name);
    if (asset === null) {
      next();
      return;
    }
    // The name is made of the content: another content has another name.
    response.set('Cache-Control', `public, max-age=${yearSeconds}, immutable`);
    sendFile(response, asset.path, asset.type, next);
  });
  router.use((request) => {
    throw new ServiceError('not_found', `The web UI has no file ${request.path}. It starts at ${pagePath}.`);
  });
  return router;
}

/** Beside the bundle; or, when the sources run, where `npm run build` puts it. */
function builtPage(): string | null {
  const index = fileAbove(join('ui', 'index.html')) ?? fileAbove(join('dist', 'ui', 'index.html'));
  return index === null ? null : dirname(index);
}

/** What lies there is served, and nothing else: a name that is asked for is compared, and never becomes part of a path. */
function assetOf(folder: string, wanted: string): { readonly path: string; readonly type: string } | null {
  const assets = join(folder, 'assets');
  const type = assetTypes[extname(wanted)];
  const name = namesIn(assets).find((each) => each === wanted);
  return name === undefined || type === undefined ? null : { path: join(assets, name), type };
}

/** Everything from here and nothing inline. Some browsers do not take 'self' for the socket of the same host, so it is named. */
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
