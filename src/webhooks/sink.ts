/**
 * The built-in receiver `https://sink.sandbox/NAME`: stores each request, judges its signature, answers as told, and
 * needs no network (contract §4, §6).
 */
import { maxSinkBytes } from '../domain/limits.js';
import { nextAnswer, type SinkAnswer, type SinkRequest } from '../domain/sink.js';
import type { AccountStore } from '../store/tables/account-store.js';
import type { AccountClock } from '../time/account-clock.js';
import type { SystemClock } from '../time/system-clock.js';
import { verifySignature } from './sender/signature.js';
import type { SinkReceiver } from './sender/sender-types.js';
import { sinkAddressOf } from './sink-address.js';

/** Requests that an account's sinks keep; the oldest goes (contract §9: limits on everything that grows). */
export const maxSinkRequests = 10_000;

/** What of an account its sinks use. */
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

/** Stores a request and decides its answer. */
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
      // Drawn from no stream: when a receiver is reached depends on how busy it is.
      id: `sink_${seq}`,
      seq,
      sink: name,
      atMs: clock.now(),
      method: call.method,
      path: call.path,
      headers: Object.fromEntries(Object.entries(call.headers).map(([key, value]) => [key.toLowerCase(), value])),
      body: call.body,
      signatureValid: judge(account, name, call),
      answered: answer.status,
    });
    forgetOldest(store);
    return { request, answer };
  });
}

function forgetOldest({ tables: { sinkRequests } }: AccountStore): void {
  while (sinkRequests.size > maxSinkRequests || sinkRequests.weight > maxSinkBytes) {
    const oldest = sinkRequests.all().at(0);
    if (!oldest) return;
    sinkRequests.delete(oldest);
  }
}

/** The sink that an endpoint's URL names; null when it is no sink's. */
function sinkNameOf(url: string): string | null {
  const address = sinkAddressOf(new URL(url));
  return typeof address === 'string' ? null : address.name;
}

/** By the secrets of the endpoints whose URL is this sink; null when there is none. */
function judge(account: SinkOwner, name: string, call: SinkCall): boolean | null {
  const header = Object.entries(call.headers).find(([key]) => key.toLowerCase() === 'x-service-signature')?.[1] ?? '';
  const secrets = [...account.store.tables.endpoints.all()]
    .filter((endpoint) => sinkNameOf(endpoint.url) === name)
    .map((endpoint) => endpoint.secret);
  if (secrets.length === 0) return null;
  return secrets.some((secret) => verifySignature(secret, call.body, header));
}

/** The account's sinks, as the sender hands requests to them. */
export function sinkReceiver(account: SinkOwner, host: SystemClock): SinkReceiver {
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
