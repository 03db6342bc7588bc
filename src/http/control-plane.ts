/**
 * The control plane, `/_sandbox`: the sandbox's own surface, validated by its own document, never in the journal, never
 * subject to faults (contract §4).
 */
import express, { Router, type Request, type Response } from 'express';
import { defaultKey } from '../account/accounts.js';
import { defaultDialect } from '../dialect.js';
import { ServiceError } from '../domain/errors.js';
import { bearerKey, unauthorized } from './auth.js';
import { bodyLimitBytes, checkJsonBody, hasBody, readJson } from './body.js';
import {
  StatusAnswer,
  TextAnswer,
  type ControlAnswer,
  type ControlHandlers,
  type ControlService,
} from './control/handler.js';
import { snapshotLimitBytes } from './control/info.js';
import { answerError } from './error-answer.js';
import type { Next, Step } from './exchange.js';
import { holdsToken, tokenStep } from './guard.js';
import { runSteps } from './run-steps.js';
import { RouteTable, type OperationRoute } from './route-table.js';
import { createValidator } from './validator.js';

export interface ControlPlaneParts {
  readonly service: ControlService;
  readonly handlers: ControlHandlers;
  readonly token: string | null;
  readonly report: (error: unknown) => void;
}

export function controlPlane({ service, handlers, token, report }: ControlPlaneParts): Router {
  const routes = new RouteTable(service.documents.control);
  const matched = new WeakMap<Request, OperationRoute>();
  const router = Router();

  const route: Step = (request, _response, next) => {
    const [path = ''] = request.originalUrl.split('?', 1);
    const match = routes.match(request.method, path);
    if (match.kind === 'unknown')
      throw new ServiceError(
        'not_found',
        `There is no ${path} in the control plane; GET /_sandbox/openapi.json lists what there is.`,
      );
    if (match.kind === 'wrong-method') {
      const allow = match.allow.join(', ');
      throw new ServiceError('method_not_allowed', `${path} knows ${allow}, not ${request.method}.`, {
        headers: { Allow: allow },
      });
    }
    matched.set(request, match.route);
    next();
  };

  const readBody: Step = (request, response, next) => {
    const operation = matched.get(request);
    if (!operation || operation.body === 'none') {
      next();
      return;
    }
    readerOf(operation)(request, response, next);
  };

  const run: Step = (request, response, next) => {
    const operation = matched.get(request);
    const handler =
      operation && Object.hasOwn(handlers, operation.operationId) ? handlers[operation.operationId] : undefined;
    if (!operation || !handler) throw new Error(`no handler for ${operation?.operationId ?? request.originalUrl}`);
    const account = service.accounts.of(callerKey(service, request, token));
    account.scheduler.runDue();
    const context = {
      account,
      params: operation.params,
      query: request.query as Record<string, unknown>,
      body: request.body as unknown,
      headers: request.headers,
      service,
    };
    const answered = async () => {
      const answer = await handler(context);
      await account.store.answerable();
      return answer;
    };
    answered()
      .then((answer) => send(response, answer))
      .catch(next);
  };

  const fail = (error: unknown, request: Request, response: Response, _next: Next) => {
    const { status, headers, body } = answerError(error, request.body, defaultDialect, report);
    response.status(status).set(headers).type('json').end(JSON.stringify(body));
  };

  router.use(
    tokenStep(token),
    route,
    readBody,
    atFirstCall(() =>
      createValidator(service.documents.control, {
        strictQuery: true,
        routeOf: (request) => matched.get(request) ?? null,
      }),
    ),
    run,
  );
  router.use(fail);
  return router;
}

/** Steps that are made when the first call needs them: this document takes as long to prepare as all the rest of a start. */
function atFirstCall(make: () => Step[]): Step {
  let steps: Step[] | null = null;
  return (request, response, next) => {
    runSteps((steps ??= make()), request, response, next);
  };
}

/** Without an Authorization header, or with the control token as the key, the default account is meant. */
function callerKey({ accounts }: ControlService, request: Request, token: string | null): string {
  const { authorization } = request.headers;
  if (authorization === undefined) return defaultKey;
  const key = bearerKey(authorization);
  if (key === null)
    throw unauthorized('The Authorization header holds no Bearer key; leave it out to act on the default account.');
  if (token !== null && key === token && holdsToken(request, token)) return defaultKey;
  if (!accounts.accepts(key))
    throw unauthorized('This API key is not accepted by this sandbox (it was started with --api-keys).');
  return key;
}

const rawBody = express.text({ limit: bodyLimitBytes, type: () => true });
const yamlTypes = ['application/yaml', 'text/yaml'];
const largeJson = express.json({ limit: snapshotLimitBytes, strict: false });

/** The sink takes anything; a snapshot may be large; everything else is JSON of at most 1 MB. */
function readerOf({ operationId, body }: OperationRoute): Step {
  if (operationId === 'receiveAtSink') return rawBody;
  const read = operationId === 'putSnapshot' ? largeJson : readJson;
  const takesYaml = operationId === 'activateScenario' || operationId === 'checkScenario';
  return (request, response, next) => {
    if (takesYaml && request.is(yamlTypes) !== false) {
      rawBody(request, response, next);
      return;
    }
    checkJsonBody(request, body);
    // Without a body there is no media type for the validator to look at.
    if (hasBody(request)) read(request, response, next);
    else next();
  };
}

function send(response: Response, answer: ControlAnswer): void {
  if (answer === undefined) response.status(204).end();
  else if (answer instanceof TextAnswer) response.type(answer.contentType).end(answer.text);
  else if (answer instanceof StatusAnswer) response.status(answer.status).json(answer.body);
  else response.json(answer);
}
