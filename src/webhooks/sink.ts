/** The built-in receiver `https://sink.sandbox/NAME`: stores each request, checks its signature, and needs no network. */
import { hostNameOf, nextAnswer } from '../domain/webhook.js';
import { keptBody, maxSinkRequests } from '../domain/limits.js';
import type { SinkAnswer, SinkRequest } from '../domain/rows.js';
import type { AccountStore } from '../store/account-store.js';
import type { AccountClock } from '../time/account-clock.js';
import type { SystemClock } from '../time/system-clock.js';
import type { DirectReceiver, DirectRequest } from './exchange.js';
import { verifySignature } from './sign.js';

/** The host of the built-in receiver; it exists in no DNS. */
export const SINK_HOST = 'sink.sandbox';

/** Characters that need no escaping in a URL, so that a sink has the same name in the URL and in the control plane. */
const NAME = /^[A-Za-z0-9._~-]{1,128}$/;

/** Returns the sink in a URL, `https://sink.sandbox/NAME/more?x=1`; empty without a valid name, null for another host. */
export function sinkNameOf(url: URL): string | null {
  if (hostNameOf(url) !== SINK_HOST) return null;
  const name = url.pathname.split('/')[1] ?? '';
  return NAME.test(name) ? name : '';
}

/** The parts of an account that its sinks use. */
export interface SinkOwner {
  readonly store: AccountStore;
  readonly clock: AccountClock;
}

/** Stores a request and decides its response. */
export function receive(account: SinkOwner, call: DirectRequest): { request: SinkRequest; answer: SinkAnswer } {
  const { store, clock } = account;
  const { name } = call;
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
      method: 'POST',
      path: call.path,
      headers: Object.fromEntries(Object.entries(call.headers).map(([key, value]) => [key.toLowerCase(), value])),
      body: call.body.slice(0, keptBody),
      ...(call.body.length > keptBody && { truncated: true }),
      signatureValid: isSigned(account, call),
      answered: answer.status,
    });
    const kept = store.tables.sinkRequests.list('sink', name);
    const [oldest] = kept;
    if (oldest && kept.length > maxSinkRequests) store.trim('sinkRequests', oldest);
    return { request, answer };
  });
}

/** Checks the signature with the secrets of the endpoints whose URL is this sink; null if there are none. */
function isSigned(account: SinkOwner, call: DirectRequest): boolean | null {
  const header = Object.entries(call.headers).find(([key]) => key.toLowerCase() === 'x-service-signature')?.[1] ?? '';
  const secrets = [...account.store.tables.endpoints.all()]
    .filter((endpoint) => sinkNameOf(new URL(endpoint.url)) === call.name)
    .map((endpoint) => endpoint.secret);
  if (secrets.length === 0) return null;
  return secrets.some((secret) => verifySignature(secret, call.body, header));
}

/** The account's sinks, for the sender. */
export function sinkReceiver(account: SinkOwner, host: SystemClock): DirectReceiver {
  return async (call) => {
    const { answer } = receive(account, call);
    if (answer.delayMs > 0)
      await new Promise<void>((resolve) => host.setTimer(answer.delayMs, resolve, { unref: true }));
    return { status: answer.status };
  };
}
