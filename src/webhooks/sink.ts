/** The built-in receiver `https://sink.sandbox/NAME`: stores each request, checks its signature, and needs no network. */
import { hostNameOf, nextAnswer } from '../domain/webhook.js';
import { keptBody, maxSinkRequests } from '../domain/limits.js';
import type { SinkAnswer, SinkRequest } from '../domain/rows.js';
import type { AccountStore } from '../store/account-store.js';
import type { AccountClock } from '../time/account-clock.js';
import type { SystemClock } from '../time/system-clock.js';
import type { DirectReceiver } from './exchange.js';
import { verifySignature } from './sign.js';

/** The host of the built-in receiver; it exists in no DNS. */
export const SINK_HOST = 'sink.sandbox';

export interface SinkAddress {
  /** The sink: the first segment of the path. */
  readonly name: string;
  /** The path after the name, including the query; `/` if nothing follows. */
  readonly path: string;
}

/** Characters that need no escaping in a URL, so that a sink has the same name in the URL and in the control plane. */
const NAME = /^[A-Za-z0-9._~-]{1,128}$/;

/**
 * Finds the sink in a URL: `https://sink.sandbox/NAME/more?x=1`.
 * @returns `elsewhere` if the URL is on another host, `unnamed` if it has no valid name
 */
export function sinkAddressOf(url: URL): SinkAddress | 'elsewhere' | 'unnamed' {
  if (hostNameOf(url) !== SINK_HOST) return 'elsewhere';
  const [, name = '', ...rest] = url.pathname.split('/');
  if (!NAME.test(name)) return 'unnamed';
  return { name, path: `/${rest.join('/')}${url.search}` };
}

/** The parts of an account that its sinks use. */
export interface SinkOwner {
  readonly store: AccountStore;
  readonly clock: AccountClock;
}

export interface SinkCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Stores a request and decides its response. */
export function receive(
  account: SinkOwner,
  name: string,
  call: SinkCall,
): { request: SinkRequest; answer: SinkAnswer } {
  const { store, clock } = account;
  return store.update(() => {
    const sink = store.tables.sinks.get(name);
    const answer = nextAnswer(sink);
    if (sink) store.tables.sinks.patch(sink, { served: sink.served + 1 });
    const seq = store.nextSeq();
    const request = store.tables.sinkRequests.insert({
      // Not random: the instant at which a receiver is reached depends on the machine.
      id: `sink_${seq}`,
      seq,
      sink: name,
      atMs: clock.now(),
      method: call.method,
      path: call.path,
      headers: Object.fromEntries(Object.entries(call.headers).map(([key, value]) => [key.toLowerCase(), value])),
      body: call.body.slice(0, keptBody),
      ...(call.body.length > keptBody && { truncated: true }),
      signatureValid: isSigned(account, name, call),
      answered: answer.status,
    });
    const kept = store.tables.sinkRequests.list('sink', name);
    const [oldest] = kept;
    if (oldest && kept.length > maxSinkRequests) store.trim('sinkRequests', oldest);
    return { request, answer };
  });
}

/** Returns the sink of an endpoint's URL; null for another URL. */
function sinkNameOf(url: string): string | null {
  const address = sinkAddressOf(new URL(url));
  return typeof address === 'string' ? null : address.name;
}

/** Checks the signature with the secrets of the endpoints whose URL is this sink; null if there are none. */
function isSigned(account: SinkOwner, name: string, call: SinkCall): boolean | null {
  const header = Object.entries(call.headers).find(([key]) => key.toLowerCase() === 'x-service-signature')?.[1] ?? '';
  const secrets = [...account.store.tables.endpoints.all()]
    .filter((endpoint) => sinkNameOf(endpoint.url) === name)
    .map((endpoint) => endpoint.secret);
  if (secrets.length === 0) return null;
  return secrets.some((secret) => verifySignature(secret, call.body, header));
}

/** The account's sinks, for the sender. */
export function sinkReceiver(account: SinkOwner, host: SystemClock): DirectReceiver {
  return async ({ name, path, method, headers, body }) => {
    const { answer } = receive(account, name, {
      method,
      path: `/${name}${path === '/' ? '' : path}`,
      headers,
      body: body.toString(),
    });
    if (answer.delayMs > 0)
      await new Promise<void>((resolve) => host.setTimer(answer.delayMs, resolve, { unref: true }));
    return { status: answer.status };
  };
}
