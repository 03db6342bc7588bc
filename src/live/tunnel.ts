/**
 * The open requests of one tunnel client. Its response, or its disconnect, is the result of the attempt; the sender limits
 * the time, as for any other receiver.
 */
import { SendFailure, type SendErrorCode } from '../webhooks/failure.js';
import type { DirectReceiver, DirectResponse } from '../webhooks/exchange.js';
import { tunnelClosed } from '../webhooks/tunnel.js';
import type { ConnectionFrame } from './frame.js';

interface Asked {
  readonly resolve: (response: DirectResponse) => void;
  readonly reject: (failure: SendFailure) => void;
}

export class Tunnel {
  readonly #asked = new Map<string, Asked>();
  #asks = 0;
  #idle: (() => void)[] = [];

  /** @param onLost called when the client loses its endpoint: `removed` by a call, `taken` by another client */
  constructor(
    private readonly send: (frame: ConnectionFrame) => void,
    readonly onLost: (why: 'removed' | 'taken') => void,
  ) {}

  readonly receive: DirectReceiver = ({ method, headers, body }, signal) =>
    new Promise((resolve, reject) => {
      const id = `ask_${(this.#asks += 1)}`;
      this.#asked.set(id, { resolve, reject });
      signal.addEventListener('abort', () => this.#settle(id), { once: true });
      this.send({ kind: 'tunnel.request', data: { id, method, headers, body: body.toString() } });
    });

  /** Handles a frame of the client. */
  hear(text: string): void {
    try {
      const { id, result } = parseTunnelResponse(text);
      const asked = this.#settle(id);
      if (!asked)
        throw new TunnelResponseError(`No request "${id}" waits for a response; the response may be too late`);
      if (result instanceof SendFailure) asked.reject(result);
      else asked.resolve(result);
    } catch (error) {
      if (!(error instanceof TunnelResponseError)) throw error;
      this.send({ kind: 'error', data: { code: 'validation_error', message: error.message } });
    }
  }

  /**
   * Fails all open requests when the client has disconnected. Its endpoint is already detached, so no new ones arrive.
   */
  end(): void {
    for (const id of [...this.#asked.keys()]) {
      this.#settle(id)?.reject(tunnelClosed('The client of this tunnel disconnected before it responded.'));
    }
  }

  /** Resolves when no request is open. */
  idle(): Promise<void> {
    return this.#asked.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  }

  #settle(id: string): Asked | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (this.#asked.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    return asked;
  }
}

/** Errors between a client and its server, with the codes of every attempt. */
const failureCodes: readonly SendErrorCode[] = [
  ...(['connection_refused', 'connection_reset', 'connection_failed', 'host_unreachable', 'dns_not_found'] as const),
  ...(['dns_failed', 'tls_error', 'invalid_response', 'timeout'] as const),
];

/** A frame from the client that is not a response; the message shows the expected form. */
class TunnelResponseError extends Error {
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
function parseTunnelResponse(text: string): { readonly id: string; readonly result: DirectResponse | SendFailure } {
  let frame: unknown;
  try {
    frame = JSON.parse(text) as unknown;
  } catch {
    throw new TunnelResponseError(`The frame is not JSON: ${shown(text)}`);
  }
  if (!isObject(frame)) throw new TunnelResponseError(`A response must be an object; found ${shown(frame)}`);
  const { id, error } = frame;
  if (typeof id === 'string') return { id, result: error === undefined ? responseOf(frame) : failureOf(error) };
  throw new TunnelResponseError(`id must be the id of the request, as text; found ${shown(id)}`);
}

/** An invalid response to a known request is the result of that request, because no other will follow. */
function responseOf({ status, headers = {}, body = '' }: Json): DirectResponse | SendFailure {
  const flat = isObject(headers) ? Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]) : null;
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
  if (isStatus && typeof body === 'string' && flat?.every(([, value]) => typeof value === 'string') === true)
    return { status, headers: Object.fromEntries(flat) as Record<string, string>, body };
  const found = `found status ${shown(status)}, headers ${shown(headers)} and body ${shown(body)}`;
  return new SendFailure(
    'invalid_response',
    `The response from the tunnel needs a status from 200 to 599, and texts as headers and body; ${found}.`,
  );
}

function failureOf(error: unknown): SendFailure {
  const { code, message } = isObject(error) ? error : {};
  const known = failureCodes.find((each) => each === code);
  const why = typeof message === 'string' && message !== '' ? message : null;
  if (known !== undefined) return new SendFailure(known, why ?? `The client says ${known}.`);
  return new SendFailure('connection_failed', `The client could not pass the request on: ${why ?? shown(error)}`);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
