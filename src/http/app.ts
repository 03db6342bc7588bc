/**
 * The HTTP interface of the sandbox: both planes, the health calls, the pages, and a JSON error for everything else.
 */
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import compression from 'compression';
import express, { type Express, type Request, type Response } from 'express';
import { defaultDialect } from '../dialect/index.js';
import { ServiceError } from '../domain/errors.js';
import { fileAbove } from '../package-files.js';
import { apiRouter, type ApiRouterParts } from './api/api-router.js';
import { type Next, parseQuery } from './api/request-context.js';
import { asExpress, requestListener, withFirstCall } from './api/request-listener.js';
import { controlRouter, type ControlRouterParts } from './control/control-router.js';
import type { ControlService } from './control/handler.js';
import { hostGuard, tokenGuard } from './guard.js';
import { metricsText } from './metrics.js';
import { docsPage, docsPath } from './pages/docs.js';
import { explorationPage, explorationPath } from './pages/exploration.js';
import { page, pagePath } from './pages/ui.js';
import { sendError, sendText, textType } from './respond.js';

export interface AppParts {
  /** Each plane is created with its first call, so that the start does not wait for it. */
  readonly api: () => Promise<ApiRouterParts>;
  readonly control: () => Promise<ControlRouterParts>;
  readonly service: ControlService;
  /** Guards everything but the API plane and the health calls; if null, they are open. */
  readonly token: string | null;
  readonly allowedHosts: readonly string[];
  /** False until store and scenario are loaded. */
  readonly ready: () => boolean;
  /** Gets every unexpected error. */
  readonly report: (error: unknown) => void;
}

export interface App {
  readonly express: Express;
  /** Sends the same response as the app, in less time. */
  readonly listener: RequestListener;
}

export function createApp(parts: AppParts): App {
  const { service, token, allowedHosts, ready, report } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('query parser', parseQuery);

  const guard = hostGuard(allowedHosts);
  const dress = asExpress(app);
  const v1 = withFirstCall(async () => apiRouter(await parts.api(), guard, dress));
  const control = withFirstCall(async () => controlRouter(await parts.control(), guard, dress));
  app.use('/v1', v1);
  readOnly(app, '/livez', (_request, response) => sendText(response, textType, 'ok'));
  readOnly(app, '/readyz', (_request, response) => {
    const isReady = ready();
    sendText(response.status(isReady ? 200 : 503), textType, isReady ? 'ok' : 'not ready');
  });
  app.use(guard);
  readOnly(app, '/llms.txt', (_request, response) => sendText(response, textType, overviewForAgents()));
  app.use('/metrics', tokenGuard(token));
  readOnly(app, '/metrics', (_request, response) => {
    sendText(response, 'text/plain; version=0.0.4; charset=utf-8', metricsText(service));
  });
  app.use(docsPath, docsPage(token));
  app.use(pagePath, page(token));
  app.get(explorationPath, compression(), explorationPage(token, service.explorationReport));
  // A browser is redirected to the web UI; a program gets the error that lists the available paths.
  app.get(['/', '/_sandbox', '/_sandbox/'], (request, response, next) => {
    if (request.accepts(['json', 'html']) === 'html') response.redirect(pagePath);
    else next();
  });
  app.use('/_sandbox', control);
  app.use((request: Request) => {
    throw new ServiceError(
      'not_found',
      `There is nothing at ${request.path}. The emulated service is under /v1, the sandbox's own calls are under /_sandbox, and its web UI is at ${pagePath}.`,
    );
  });
  app.use((error: unknown, _request: Request, response: Response, _next: Next) => {
    sendError(response, error, { dialect: defaultDialect, report });
  });
  return { express: app, listener: requestListener(app, { v1, control }) };
}

/** The instructions for coding agents, which are part of the package. */
function overviewForAgents(): string {
  const path = fileAbove('llms.txt');
  if (path === null) throw new ServiceError('not_found', 'llms.txt is missing from this installation.');
  return readFileSync(path, 'utf8');
}

/** Serves GET, and rejects other methods (RFC 9110, 15.5.6). */
function readOnly(app: Express, path: string, read: (request: Request, response: Response) => void): void {
  // Uses its own route, because `app.all` creates one for each of more than thirty methods, which would slow down the
  // start.
  app
    .route(path)
    .get(read)
    .all(({ method }) => {
      throw new ServiceError('method_not_allowed', `${method} is not supported on ${path}. Allowed: GET.`, {
        headers: { Allow: 'GET' },
      });
    });
}
