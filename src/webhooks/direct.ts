/**
 * Receivers that need no network: sinks, which store each request and check its signature, and tunnels, whose clients
 * receive deliveries over a WebSocket.
 */
import { limitReached, ServiceError } from '../domain/errors.js';
import { keptBody, maxSinkRequests, maxSinks } from '../domain/limits.js';
import type { Sink, SinkAnswer, SinkRequest } from '../domain/rows.js';
import { hostNameOf } from '../domain/webhook.js';
import type { AccountStore } from '../store/account-store.js';
import type { AccountClock } from '../time/account-clock.js';
import type { SystemClock } from '../time/system-clock.js';
import { SendFailure } from './send-error.js';
import { verifySignature } from './sign.js';

/** Their hosts exist in no DNS. */
export const SINK_HOST = 'sink.sandbox';
export const TUNNEL_HOST = 'tunnel.sandbox';

export interface DirectRequest {
  /** The first segment of the path. */
  readonly name: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface DirectResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Rejects with a SendFailure if a tunnel's server refused the connection or its client disconnected. After `signal` has
 * aborted, the response is ignored.
 */
export type DirectReceiver = (request: DirectRequest, signal: AbortSignal) => Promise<DirectResponse>;

/** Characters that need no escaping in a URL, so that a sink has the same name in the URL and in the control plane. */
const SINK_NAME = /^[A-Za-z0-9._~-]{1,128}$/;

/** NAME of `https://sink.sandbox/NAME/more?x=1`; empty if it is not valid, null for another host. */
export function sinkNameOf(url: URL): string | null {
  const name = nameAt(SINK_HOST, url);
  return name === null || SINK_NAME.test(name) ? name : '';
}

/** Null for another host. The tunnel may never have been opened. */
export function tunnelIdOf(url: URL): string | null {
  return nameAt(TUNNEL_HOST, url);
}

function nameAt(host: string, url: URL): string | null {
  return hostNameOf(url) === host ? (url.pathname.split('/')[1] ?? '') : null;
}

export interface SinkOwner {
  readonly store: AccountStore;
  readonly clock: AccountClock;
}

export function requireRoomForSink({ tables: { sinks, sinkRequests } }: AccountStore, name: string): void {
  const names = new Set([...sinkRequests.keys('sink'), ...sinks.all().map(({ id }) => id)]);
  if (names.has(name) || names.size < maxSinks) return;
  throw limitReached(names.size, 'sinks', 'Use one of them, or empty the account with POST /_sandbox/reset.');
}

/** @throws ServiceError `limit_reached` for a new sink beyond the limit */
export function receive(account: SinkOwner, call: DirectRequest): { request: SinkRequest; answer: SinkAnswer } {
  const { store, clock } = account;
  const { name, path, body } = call;
  requireRoomForSink(store, name);
  return store.update(() => {
    const { sinks, sinkRequests } = store.tables;
    const sink = sinks.get(name);
    const answer = nextAnswer(sink);
    if (sink) sinks.patch(sink, { served: sink.served + 1 });
    const headers: Record<string, string> = {};
    for (const [key, value] of Object.entries(call.headers)) headers[key.toLowerCase()] = value;
    const seq = store.nextSeq();
    const request = sinkRequests.insert({
      // Not random: the instant at which a receiver is reached depends on the machine.
      id: `sink_${seq}`,
      seq,
      sink: name,
      atMs: clock.now(),
      method: 'POST',
      path,
      headers,
      body: body.slice(0, keptBody),
      ...(body.length > keptBody && { truncated: true }),
      signatureValid: isSigned(store, name, body, headers['x-service-signature']),
      answered: answer.status,
    });
    const kept = sinkRequests.list('sink', name);
    if (kept[0] && kept.length > maxSinkRequests) store.trim('sinkRequests', kept[0]);
    return { request, answer };
  });
}

function nextAnswer(sink: Pick<Sink, 'answers' | 'served'> | undefined): SinkAnswer {
  const plain: SinkAnswer = { status: 200, delayMs: 0, times: null };
  let left = sink?.served ?? 0;
  for (const answer of sink?.answers ?? []) {
    if (answer.times === null || left < answer.times) return answer;
    left -= answer.times;
  }
  return plain;
}

/** Null if no endpoint has the URL of this sink. */
function isSigned({ tables }: AccountStore, name: string, body: string, header: string | undefined): boolean | null {
  let found: boolean | null = null;
  for (const { url, secret } of tables.endpoints.all()) {
    if (sinkNameOf(new URL(url)) !== name) continue;
    if (verifySignature(secret, body, header)) return true;
    found = false;
  }
  return found;
}

/** A delivery to one sink too many gets 429, as from any receiver that takes no more. */
function answerOf(account: SinkOwner, call: DirectRequest): Pick<SinkAnswer, 'status' | 'delayMs'> {
  try {
    return receive(account, call).answer;
  } catch (error) {
    if (error instanceof ServiceError) return { status: 429, delayMs: 0 };
    throw error;
  }
}

export function sinkReceiver(account: SinkOwner, host: SystemClock): DirectReceiver {
  return async (call) => {
    const { status, delayMs } = answerOf(account, call);
    if (delayMs > 0) await new Promise<void>((resolve) => host.setTimer(delayMs, resolve, { unref: true }));
    return { status };
  };
}

/** Tunnels of an account: the deliveries of another account never reach them. */
export class Tunnels {
  readonly #open = new Map<string, DirectReceiver>();

  /** The returned function closes the tunnel. */
  open(account: string, id: string, receiver: DirectReceiver): () => void {
    // An id contains no blank.
    const key = `${id} ${account}`;
    this.#open.set(key, receiver);
    return () => this.#open.delete(key);
  }

  /** Passes each request to the client that is connected at that moment. */
  receiverOf(account: string): DirectReceiver {
    return (request, signal) => {
      const receiver = this.#open.get(`${request.name} ${account}`);
      return receiver === undefined ? Promise.reject(tunnelClosed()) : receiver(request, signal);
    };
  }
}

export function tunnelClosed(message = 'No client is connected to this tunnel.'): SendFailure {
  return new SendFailure(
    'tunnel_closed',
    message,
    'Is "messaging-sandbox listen" running? While it is not connected, attempts fail and are retried.',
  );
}
