/**
 * The HTTP interface of the sandbox: both planes, the health calls, the pages, and a JSON error for everything else.
 */
import { readFileSync } from 'node:fs';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { defaultWire } from '../dialect/wire.js';
import { ServiceError } from '../domain/errors.js';
import { fileAbove } from '../package-files.js';
import { apiRouter, type ApiRouterParts } from './api/api-router.js';
import { baseUrlHint } from './base-url.js';
import { parseQuery, planeAt, rejectOthers } from './operations.js';
import type { ControlRouterParts } from './control/router.js';
import { hostGuard } from './guard.js';
import { docsPath, explorationPath, pagePath } from './pages/files.js';
import { sendError, sendText, textType } from './respond.js';

export interface AppParts {
  readonly api: ApiRouterParts;
  readonly control: ControlRouterParts;
  readonly allowedHosts: readonly string[];
  readonly ready: () => boolean;
  readonly report: (error: unknown) => void;
}

export function createApp({ api, control, allowedHosts, ready, report }: AppParts): Express {
  const { token } = control;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('query parser', parseQuery);

  const guard = hostGuard(allowedHosts);
  app.use(planeAt('/v1', apiRouter(api, guard)));
  readOnly(app, '/livez', (_request, response) => sendText(response, textType, 'ok'));
  readOnly(app, '/readyz', (_request, response) => {
    const isReady = ready();
    sendText(response.status(isReady ? 200 : 503), textType, isReady ? 'ok' : 'not ready');
  });
  app.use((request, _response, next) => {
    guard(request);
    next();
  });
  readOnly(app, '/llms.txt', (_request, response) => sendText(response, textType, overviewForAgents()));
  const docs = later(async () => (await import('./pages/docs.js')).docsPage(token));
  app.use(docsPath, docs);
  const ui = later(async () => (await import('./pages/ui.js')).page(token));
  app.use(pagePath, ui);
  const stored = control.service.explorationReport;
  const exploration = later(async () => (await import('./pages/ui.js')).explorationPage(token, stored));
  app.get(explorationPath, exploration);
  // A browser is redirected to the web UI; a program gets the error that lists the available paths.
  app.get(['/', '/_sandbox', '/_sandbox/'], (request, response, next) => {
    if (request.accepts(['json', 'html']) === 'html') response.redirect(pagePath);
    else next();
  });
  const controlPlane = later(async () => (await import('./control/router.js')).controlRouter(control, guard));
  app.use(planeAt('/_sandbox', controlPlane));
  app.use((request: Request) => {
    throw new ServiceError(
      'not_found',
      `There is nothing at ${request.path}.${baseUrlHint(request.path)} The emulated service is under /v1, the sandbox's own calls are under /_sandbox, and its web UI is at ${pagePath}.`,
    );
  });
  const fail: ErrorRequestHandler = (error, _request, response, _next) => {
    sendError(response, error, { wire: defaultWire, report });
  };
  app.use(fail);
  return app;
}

/** A handler that is loaded with its first request: a start does not need it. */
function later(load: () => Promise<RequestHandler>): RequestHandler {
  let handler: Promise<RequestHandler> | null = null;
  return (request, response, next) => {
    (handler ??= load()).then((handle) => void handle(request, response, next)).catch(next);
  };
}

function overviewForAgents(): string {
  const path = fileAbove('llms.txt');
  if (path === null) throw new ServiceError('not_found', 'llms.txt is missing from this installation.');
  return readFileSync(path, 'utf8');
}

function readOnly(app: Express, path: string, read: (request: Request, response: Response) => void): void {
  rejectOthers(app.route(path).get(read), 'GET');
}
