/** A tunnel client's response to a request: its server's response, or why there is none (docs/live.md). */
import { SendFailure, type SendErrorCode } from '../webhooks/sender/send-error.js';
import type { DirectResponse } from '../webhooks/sender/sender-types.js';

/** Errors between a client and its server, with the codes of every attempt. */
const failureCodes: readonly SendErrorCode[] = [
  'connection_refused',
  'connection_reset',
  'connection_failed',
  'host_unreachable',
  'dns_not_found',
  'dns_failed',
  'tls_error',
  'invalid_response',
  'timeout',
];

export interface TunnelResponse {
  /** Id of the request. */
  readonly id: string;
  readonly result: DirectResponse | SendFailure;
}

/** A frame from the client that is not a response; the message shows the expected form. */
export class TunnelResponseError extends Error {
  override readonly name = 'TunnelResponseError';
  constructor(problem: string) {
    super(
      `${problem}. Respond to a tunnel.request with {"id","status","headers"?,"body"?}, ` +
        'or with {"id","error":{"code","message"}} when your server could not be reached.',
    );
  }
}

type Json = Record<string, unknown>;

/** @throws TunnelResponseError if the response does not identify its request */
export function parseTunnelResponse(text: string): TunnelResponse {
  const frame = parseObject(text);
  const { id } = frame;
  if (typeof id !== 'string')
    throw new TunnelResponseError(`id must be the id of the request, as text; found ${shown(id)}`);
  return { id, result: frame['error'] === undefined ? responseOf(frame) : failureOf(frame['error']) };
}

function parseObject(text: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    throw new TunnelResponseError(`The frame is not JSON: ${shown(text)}`);
  }
  if (isObject(value)) return value;
  throw new TunnelResponseError(`A response must be an object; found ${shown(value)}`);
}

/** An invalid response to a known request is the result of that request, because no other will follow. */
function responseOf({ status, headers = {}, body = '' }: Json): DirectResponse | SendFailure {
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) {
    return invalid(`status must be a whole number from 200 to 599; found ${shown(status)}`);
  }
  if (typeof body !== 'string') return invalid(`body must be a text; found ${shown(body)}`);
  if (!isObject(headers)) return invalid(`headers must be an object; found ${shown(headers)}`);
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string') return invalid(`header ${name} must be a text; found ${shown(value)}`);
    flat[name.toLowerCase()] = value;
  }
  return { status, headers: flat, body };
}

function failureOf(error: unknown): SendFailure {
  const { code, message } = isObject(error) ? error : {};
  const known = failureCodes.find((each) => each === code);
  if (known !== undefined) {
    return new SendFailure(
      known,
      typeof message === 'string' && message !== '' ? message : `The client says ${known}.`,
    );
  }
  const why = typeof message === 'string' && message !== '' ? message : shown(error);
  return new SendFailure('connection_failed', `The client could not pass the request on: ${why}`);
}

function invalid(problem: string): SendFailure {
  return new SendFailure('invalid_response', `The response from the tunnel is invalid: ${problem}.`);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
