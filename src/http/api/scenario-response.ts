/** The response that a rule's `respond` makes, of its own or of what the operation returned. */
import type { Dialect } from '../../dialect/index.js';
import { errorTable, type ErrorCode } from '../../domain/errors.js';
import type { RespondEffect } from '../../scenario/engine/effects.js';
import type { RequestContext } from './request-context.js';

type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when there is none. */
  readonly body?: unknown;
  readonly code?: string;
}

/** What each status is usually called, for a rule that names a status alone. */
const codeByStatus: Readonly<Record<number, string>> = {
  400: 'validation_error',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  429: 'rate_limited',
  500: 'internal_error',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
};

/** The headers that belong to an error code; a rule's own headers take precedence. */
function headersOf(code: string, { route }: Call): Headers {
  switch (code) {
    case 'unauthorized':
      return { 'WWW-Authenticate': 'Bearer' };
    case 'rate_limited':
      return { 'Retry-After': '1' };
    case 'method_not_allowed':
      // The method asked for is the one that is not allowed now; an empty list says that none is (RFC 9110, 10.2.1).
      return { Allow: (route?.besides ?? []).join(', ') };
    default:
      return {};
  }
}

/** The route of the call, and the rule, magic number or header whose effect it is. */
type Call = Pick<RequestContext, 'route' | 'rule'>;

/** @param answer what the operation returned; null when it did not happen */
export function scriptedAnswer(effect: RespondEffect, answer: Answer | null, call: Call, dialect: Dialect): Answer {
  // A body alone is a response, not a fault.
  const unsaid = effect.body === undefined ? 500 : 200;
  const meant = effect.code ?? (asksToWait(effect, answer) ? 'rate_limited' : undefined);
  const status = effect.status ?? statusOfCode(meant, dialect) ?? answer?.status ?? unsaid;
  const retryAfter = effect.retryAfterMs === undefined ? {} : { 'Retry-After': seconds(effect.retryAfterMs) };
  const headers = (own: Headers = {}) => mergeHeaders({ ...answer?.headers, ...own, ...retryAfter }, effect.headers);
  if (effect.body !== undefined) return { status, headers: headers(), body: effect.body };
  const speaks = effect.code !== undefined || effect.message !== undefined;
  if (!speaks && (status < 400 || answer?.status === status)) return { ...answer, status, headers: headers() };
  const code = meant ?? codeByStatus[status] ?? 'error';
  const who = call.rule === null ? 'a rule' : `"${call.rule}"`;
  const message = effect.message ?? `Simulated ${status} response, caused by ${who}.`;
  const body = dialect.errors.envelope === 'flat' ? { code, message } : { error: { code, message } };
  return { status, headers: headers(headersOf(code, call)), body, code };
}

/** A Retry-After without a status, in place of an operation, means a rate limit. */
function asksToWait({ status, body, retryAfterMs }: RespondEffect, answer: Answer | null): boolean {
  return answer === null && status === undefined && body === undefined && retryAfterMs !== undefined;
}

/** Returns `base` with the headers of `over` instead of its own; names are compared without regard to case. */
function mergeHeaders(base: Headers, over: Headers): Headers {
  const names = new Map(['Content-Type', ...Object.keys(base)].map((name) => [name.toLowerCase(), name]));
  const headers = { ...base };
  for (const [name, value] of Object.entries(over)) headers[names.get(name.toLowerCase()) ?? name] = value;
  return headers;
}

function seconds(ms: number): string {
  return String(Math.ceil(ms / 1000));
}

function statusOfCode(code: string | undefined, dialect: Dialect): number | undefined {
  if (code === undefined || !Object.hasOwn(errorTable, code)) return undefined;
  return dialect.errors.status[code as ErrorCode] ?? errorTable[code as ErrorCode].status;
}
