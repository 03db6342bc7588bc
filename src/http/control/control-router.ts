/**
 * The control plane, `/_sandbox`: the sandbox's own surface, validated by its own document, never in the journal, never
 * subject to faults (contract §4).
 */
import type { ServerResponse } from 'node:http';
import { defaultKey } from '../../accounts/registry.js';
import { defaultDialect } from '../../dialect/index.js';
import { ServiceError } from '../../domain/errors.js';
import type { AppSide } from '../app-side.js';
import { bearerKey, notAccepted, unauthorized } from '../api/auth.js';
import { checkJsonBody, hasBody, jsonReader, readJson, readText, refuseForms } from '../api/body.js';
import { StatusAnswer, TextAnswer, type ControlAnswer, type ControlHandlers, type ControlService } from './handler.js';
import { snapshotLimitBytes } from './info.js';
import type { CompiledOperations } from '../validation/compiled-operation.js';
import { Departures } from '../api/departures.js';
import { answerError } from '../api/error-response.js';
import type { Call, Next, Step } from '../api/request-context.js';
import { isToken, tokenStep } from '../guard.js';
import { Judge } from '../validation/openapi-validator.js';
import { jsonType } from '../media-types.js';
import { pathOf } from '../api/query.js';
import { RouteTable, type OperationRoute } from '../api/route-table.js';
import { runSteps } from '../api/middleware.js';
import { textHead, writeText } from '../write-text.js';
import { writtenText, yamlOrJson } from './yaml-or-json.js';

export interface ControlPlaneParts {
  readonly service: ControlService;
  readonly handlers: ControlHandlers;
  readonly compiled: CompiledOperations;
  readonly token: string | null;
  readonly report: (error: unknown) => void;
}

/** A call that has passed the judge. */
type Judged = Call & { readonly query?: Readonly<Record<string, unknown>> };

export function controlPlane(parts: ControlPlaneParts, { guard, asExpress }: AppSide): Step {
  const { service, handlers, compiled, token, report } = parts;
  const routes = new RouteTable(service.documents.control);
  const matched = new WeakMap<object, OperationRoute>();
  const judge = new Judge({
    document: service.documents.control,
    compiled,
    strictQuery: true,
    asExpress,
    routeOf: (request) => matched.get(request) ?? null,
  });
  const departures = new Departures(service.host);

  const route: Step = (request, _response, next) => {
    const path = pathOf(request.originalUrl);
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
      if (operation?.method !== 'GET') refuseForms(request);
      next();
      return;
    }
    readerOf(operation)(request, response, next);
  };

  const run: Step = (request: Judged, response, next) => {
    const operation = matched.get(request);
    const handler =
      operation && Object.hasOwn(handlers, operation.operationId) ? handlers[operation.operationId] : undefined;
    if (!operation || !handler) throw new Error(`no handler for ${operation?.operationId ?? request.originalUrl}`);
    const account = service.accounts.of(callerKey(service, request, token));
    const changes = operation.method !== 'GET' && !harmless.has(operation.operationId);
    if (changes) account.store.requireWritable();
    account.scheduler.runDue();
    const context = {
      account,
      params: operation.params,
      query: request.query ?? {},
      body: request.body,
      text: writtenText(request),
      headers: request.headers,
      service,
    };
    const answered = async () => {
      const answer = await handler(context);
      if (changes) await account.store.answerable();
      return answer;
    };
    answered()
      .then((answer) => send(request, response, answer, next))
      .catch(next);
  };

  const send = (request: Call, response: ServerResponse, answer: ControlAnswer, next: Next): void => {
    if (answer === undefined) {
      response.writeHead(204).end();
    } else if (answer instanceof TextAnswer) {
      departures.end(textHead(response, answer.contentType, answer.text), answer.text);
    } else {
      const [status, body] = answer instanceof StatusAnswer ? [answer.status, answer.body] : [200, answer];
      response.statusCode = status;
      const write = (judged: object) => {
        const text = JSON.stringify(judged);
        departures.end(textHead(response, jsonType, text), text);
      };
      judge.answer(request, response, body, write, next);
    }
  };

  const fail = (error: unknown, response: ServerResponse): void => {
    const { status, headers, body } = answerError(error, defaultDialect, report);
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    writeText(response, jsonType, JSON.stringify(body));
  };

  const steps = [guard, tokenStep(token), route, readBody, judge.request, run];
  return (request, response) => {
    runSteps(steps, request, response, (error) => fail(error, response));
  };
}

/** What changes nothing although it is no GET, and what makes room: done on a full disk too. */
const harmless = new Set(['waitForIdle', 'checkScenario', 'dropAccount', 'deleteSnapshot']);

/** Without an Authorization header, or with the control token as the key, the default account is meant. */
function callerKey({ accounts }: ControlService, request: Call, token: string | null): string {
  const { authorization } = request.headers;
  if (authorization === undefined) return defaultKey;
  const key = bearerKey(authorization);
  if (key === null)
    throw unauthorized('The Authorization header holds no Bearer key; leave it out to act on the default account.');
  if (token !== null && isToken(key, token)) return defaultKey;
  if (!accounts.accepts(key)) throw notAccepted(key);
  return key;
}

const readsYaml = new Set(['activateScenario', 'checkScenario', 'addRule']);
const largeJson = jsonReader(snapshotLimitBytes);

/** The sink takes anything; a snapshot may be large; everything else is JSON of at most 1 MB. */
function readerOf({ operationId, body }: OperationRoute): Step {
  if (operationId === 'receiveAtSink') return readText;
  const read = operationId === 'putSnapshot' ? largeJson : readJson;
  if (readsYaml.has(operationId)) return yamlOrJson(body);
  return (request, response, next) => {
    refuseForms(request);
    checkJsonBody(request, body);
    // Without a body there is no media type for the validator to look at.
    if (hasBody(request)) read(request, response, next);
    else next();
  };
}
