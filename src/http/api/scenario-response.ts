/** The response that a rule, or the caller in a header, asks for: one that replaces the operation's, or a network fault. */
import type { ServerResponse } from 'node:http';
import type { Wire } from '../../dialect/wire.js';
import { ServiceError } from '../../domain/errors.js';
import type { RespondEffect, RuleSet } from '../../rules/effects.js';
import { reader } from '../../reader/library.js';
import type { FaultReal } from '../../language/respond.js';
import type { SystemClock } from '../../time/system-clock.js';
import type { Operation } from '../operation.js';

type Headers = Readonly<Record<string, string>>;

export interface PlannedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text?: string;
  readonly code?: string;
}

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

function headersOf(code: string, operation: Operation | undefined): Headers {
  switch (code) {
    case 'unauthorized':
      return { 'WWW-Authenticate': 'Bearer' };
    case 'rate_limited':
      return { 'Retry-After': '1' };
    case 'method_not_allowed':
      // The requested method is not allowed now; an empty list means that none is (RFC 9110, 10.2.1).
      return { Allow: (operation?.otherMethods ?? []).join(', ') };
    default:
      return {};
  }
}

export function scriptedResponse(
  effect: RespondEffect,
  returned: PlannedResponse | null,
  rule: string | null,
  operation: Operation | undefined,
  wire: Wire,
): PlannedResponse {
  // A body without a status is a response, not a fault.
  const unsaid = effect.body === undefined ? 500 : 200;
  const meant = effect.code ?? (asksToWait(effect, returned) ? 'rate_limited' : undefined);
  const status =
    effect.status ?? (meant === undefined ? undefined : wire.statusOf(meant)) ?? returned?.status ?? unsaid;
  const retryAfter = effect.retryAfterMs === undefined ? {} : { 'Retry-After': seconds(effect.retryAfterMs) };
  const headers = (own: Headers = {}) => mergeHeaders({ ...returned?.headers, ...own, ...retryAfter }, effect.headers);
  if (effect.body !== undefined) return { status, headers: headers(), text: textOf(effect.body, headers()) };
  const speaks = effect.code !== undefined || effect.message !== undefined;
  if (!speaks && (status < 400 || returned?.status === status)) return { ...returned, status, headers: headers() };
  const code = meant ?? codeByStatus[status] ?? 'error';
  const message =
    effect.message ?? `Simulated ${status} response, caused by ${rule === null ? 'a rule' : `"${rule}"`}.`;
  const text = JSON.stringify(wire.error({ code, message }, status));
  return { status, headers: headers(headersOf(code, operation)), text, code };
}

/** If a rule names another media type, such as the HTML of a proxy, its text is sent unchanged. */
function textOf(body: unknown, { 'Content-Type': type }: Headers): string {
  return typeof body === 'string' && type !== undefined && !/\bjson\b/i.test(type) ? body : JSON.stringify(body);
}

/** A Retry-After without a status, if it replaces an operation, means a rate limit. */
function asksToWait({ status, body, retryAfterMs }: RespondEffect, returned: PlannedResponse | null): boolean {
  return returned === null && status === undefined && body === undefined && retryAfterMs !== undefined;
}

/** Returns `base`, in which the headers of `over` replace others; names are compared case-insensitively. */
function mergeHeaders(base: Headers, over: Headers): Headers {
  const names = new Map(['Content-Type', ...Object.keys(base)].map((name) => [name.toLowerCase(), name]));
  const headers = { ...base };
  for (const [name, value] of Object.entries(over)) headers[names.get(name.toLowerCase()) ?? name] = value;
  return headers;
}

function seconds(ms: number): string {
  return String(Math.ceil(ms / 1000));
}

interface Target {
  readonly response: ServerResponse;
  /** The body that would have been sent without the fault. */
  readonly text: string;
  readonly host: SystemClock;
  /** Time for which `hang` keeps the socket open; 0 if the rule does not specify it. */
  readonly holdMs: number;
}

export const injectFault: Readonly<Record<FaultReal, (target: Target) => void>> = {
  /** A TCP reset: the client sees ECONNRESET. */
  reset: ({ response }) => response.socket?.resetAndDestroy(),
  empty: ({ response }) => response.socket?.end(),
  /** There is no response until the client disconnects or the time is over. */
  hang: ({ response, host, holdMs }) => {
    const cancel = host.setTimer(holdMs > 0 ? holdMs : 30_000, () => response.socket?.destroy(), { unref: true });
    response.socket?.once('close', cancel);
  },
  /** The headers announce more bytes than are sent. */
  truncate: ({ response, text }) => {
    const half = Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2));
    response.write(half, () => response.socket?.destroy());
  },
  garbage: ({ response }) => {
    response.socket?.end('\u0000\u0007NOT/HTTP \u0001\u0002\u0003\r\n%%% garbage %%%\r\n\r\n', 'latin1');
  },
};

export const preferHeader = 'x-sandbox-prefer';

export function readPrefer(header: string | string[]): RuleSet {
  const { parsePrefer, preferRules } = reader();
  const result = parsePrefer(Array.isArray(header) ? header.join(';') : header);
  if ('slots' in result) return preferRules(result.slots);
  const details = result.problems.map((message) => ({ field: 'X-Sandbox-Prefer', message }));
  throw new ServiceError('validation_error', result.problems[0] ?? 'X-Sandbox-Prefer cannot be read.', { details });
}
