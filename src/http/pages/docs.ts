/**
 * `/_sandbox/docs`: both documents, to read and to try out, and the pages of `docs/`, all from the package. Swagger UI
 * is part of the build; nothing is loaded from elsewhere, and the content security policy forbids it.
 */
import compression from 'compression';
import { Router, type NextFunction as Next, type Response } from 'express';
import { ServiceError } from '../../domain/errors.js';
import { fileAbove } from '../../package-files.js';
import { opensPage, unauthorized } from '../guard.js';
import { guide } from './guide.js';
import { sendFile } from './send-file.js';

/** The files of the page, and their places in the sources; the build copies all of them into `api-docs`. */
export const docsFiles = {
  'index.html': 'ui/api-docs/index.html',
  'init.js': 'ui/api-docs/init.js',
  'guide.css': 'ui/api-docs/guide.css',
  'swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
} as const;

type DocsFile = keyof typeof docsFiles;

// Swagger UI sets styles on its elements; scripts and connections are limited to this sandbox.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * @param token the page itself requires it, in its header or as `?control_token=`; its scripts and styles contain no
 * secret
 */
export function docsPage(token: string | null): Router {
  const router = Router();
  router.use(compression());
  router.get('/', (request, response, next) => {
    if (!opensPage(request, token)) {
      throw unauthorized('The control plane requires a token. Open /_sandbox/docs?control_token=TOKEN.');
    }
    sendDocsFile(response, 'index.html', next);
  });
  router.use(guide);
  for (const name of Object.keys(docsFiles) as DocsFile[]) {
    router.get(`/${name}`, (_request, response, next) => sendDocsFile(response, name, next));
  }
  return router;
}

function sendDocsFile(response: Response, name: DocsFile, next: Next): void {
  const path = fileAbove(`api-docs/${name}`) ?? fileAbove(docsFiles[name]);
  if (path === null) throw new ServiceError('not_found', `${name} is missing from this installation.`);
  response.set('Content-Security-Policy', policy);
  sendFile(response, path, next);
}
