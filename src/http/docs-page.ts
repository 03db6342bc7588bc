/**
 * `/_sandbox/docs`: both documents, readable and to be tried out, from the package alone. Swagger UI is shipped with the
 * build; nothing is loaded from elsewhere, which the content security policy also forbids.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Router, type Response } from 'express';
import { ServiceError } from '../domain/errors.js';
import { fileAbove } from '../package-files.js';
import { holdsToken, isToken } from './guard.js';
import { unauthorized } from './auth.js';

/** What the page consists of, and where each file lies beside the sources; the build puts all of them into `api-docs`. */
export const docsFiles = {
  'index.html': { type: 'text/html; charset=utf-8', source: join('ui', 'api-docs', 'index.html') },
  'init.js': { type: 'text/javascript; charset=utf-8', source: join('ui', 'api-docs', 'init.js') },
  'swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    source: join('node_modules', 'swagger-ui-dist', 'swagger-ui-bundle.js'),
  },
  'swagger-ui.css': {
    type: 'text/css; charset=utf-8',
    source: join('node_modules', 'swagger-ui-dist', 'swagger-ui.css'),
  },
} as const;

type DocsFile = keyof typeof docsFiles;

// Swagger UI sets styles on its elements; scripts and connections stay at home.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** @param token what the page itself asks for, in its header or as `?control_token=`; its scripts and styles hold no secret */
export function docsPage(token: string | null): Router {
  const router = Router();
  router.get('/', (request, response) => {
    const given = request.query['control_token'];
    const allowed =
      token === null || holdsToken(request, token) || (typeof given === 'string' && isToken(given, token));
    if (!allowed) {
      throw unauthorized('The control plane of this sandbox is guarded; open /_sandbox/docs?control_token=TOKEN.');
    }
    sendFile(response, 'index.html');
  });
  for (const name of Object.keys(docsFiles) as DocsFile[]) {
    router.get(`/${name}`, (_request, response) => sendFile(response, name));
  }
  return router;
}

function sendFile(response: Response, name: DocsFile): void {
  const { type, source } = docsFiles[name];
  const path = fileAbove(join('api-docs', name)) ?? fileAbove(source);
  if (path === null) throw new ServiceError('not_found', `${name} is missing from this installation.`);
  response.set({ 'Content-Type': type, 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' });
  createReadStream(path).pipe(response);
}
