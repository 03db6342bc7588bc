/**
 * The HTTP face of the sandbox: both planes, the health calls, and JSON for everything else.
 */
import type { RequestListener } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';
import { defaultDialect } from '../dialect/index.js';
import { ServiceError } from '../domain/errors.js';
import { apiPlane, type ApiPlaneParts } from './api/api-router.js';
import { controlPlane, type ControlPlaneParts } from './control/control-router.js';
import type { ControlService } from './control/handler.js';
import { jsonType, textType } from './media-types.js';
import { metricsText } from './metrics.js';
import { docsPage, docsPath } from './pages/docs.js';
import { asExpress, besideRouter } from './api/request-listener.js';
import { answerError } from './api/error-response.js';
import type { Next } from './api/request-context.js';
import { atFirstCall } from './api/first-call.js';
import { hostStep, tokenStep } from './guard.js';
import { page, pagePath } from './pages/ui.js';
import { parseQuery } from './api/query.js';
import { writeText } from './write-text.js';

export interface AppParts {
  /** What the planes are made of: asked for with the first call of each, not at the start. */
  readonly api: () => Promise<ApiPlaneParts>;
  readonly control: () => Promise<ControlPlaneParts>;
  readonly service: ControlService;
  /** Guards all but the API plane and the health calls; null: they are open. */
  readonly token: string | null;
  readonly allowedHosts: readonly string[];
  /** False until store and scenario are loaded. */
  readonly ready: () => boolean;
  /** Told of what nobody foresaw. */
  readonly report: (error: unknown) => void;
}

export interface App {
  /** Answers every call. */
  readonly express: Express;
  /** Does so, too, in less time: what the server is to call. */
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

  const guard = hostStep(allowedHosts);
  const side = { guard, asExpress: asExpress(app) };
  const v1 = atFirstCall(async () => apiPlane(await parts.api(), side));
  const control = atFirstCall(async () => controlPlane(await parts.control(), side));
  app.use('/v1', v1);
  readOnly(app, '/livez', (_request, response) => {
    writeText(response, textType, 'ok');
  });
  readOnly(app, '/readyz', (_request, response) => {
    const isReady = ready();
    writeText(response.status(isReady ? 200 : 503), textType, isReady ? 'ok' : 'not ready');
  });
  app.use(guard);
  app.use('/metrics', tokenStep(token));
  readOnly(app, '/metrics', (_request, response) => {
    writeText(response, 'text/plain; version=0.0.4; charset=utf-8', metricsText(service));
  });
  app.use(
    docsPath,
    atFirstCall(() => docsPage(token)),
  );
  app.use(
    pagePath,
    atFirstCall(() => page(token)),
  );
  // A person who types the address wants the page; a program is told what there is, as anywhere else.
  app.get(['/', '/_sandbox', '/_sandbox/'], (request, response, next) => {
    if (request.accepts(['json', 'html']) === 'html') response.redirect(pagePath);
    else next();
  });
  app.use('/_sandbox', control);
  app.use((request: Request) => {
    throw new ServiceError(
      'not_found',
      `There is nothing at ${request.path}. The emulated service is under /v1, the sandbox's own calls under /_sandbox, its page at ${pagePath}.`,
    );
  });
  app.use((error: unknown, request: Request, response: Response, _next: Next) => {
    const { status, headers, body } = answerError(error, defaultDialect, report);
    writeText(response.status(status).set(headers), jsonType, JSON.stringify(body));
  });
  return { express: app, listener: besideRouter(app, { v1, control }) };
}

/** What can be read and nothing else: other methods are told so (RFC 9110, 15.5.6). */
function readOnly(app: Express, path: string, read: (request: Request, response: Response) => void): void {
  // By its route: `app.all` makes one for each of thirty-odd methods, which a start would feel.
  app
    .route(path)
    .get(read)
    .all(({ method }) => {
      throw new ServiceError('method_not_allowed', `${path} knows GET, not ${method}.`, { headers: { Allow: 'GET' } });
    });
}
