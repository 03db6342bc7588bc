/**
 * The built-in receiver `https://sink.sandbox/NAME`: stores each request, judges its signature, answers as told, and
 * needs no network (contract §4, §6).
 */
import type { Account } from '../account/account.js';
import { nextAnswer, type SinkAnswer, type SinkRequest } from '../domain/sink.js';
import type { HostTime } from '../time/host.js';
import { verifySignature } from './signature.js';
import type { Outcome, Sender, SendRequest } from './sender-types.js';

export const sinkHost = 'sink.sandbox';

/** The sink that a webhook URL means, or null when it means a real host. */
export function sinkOf(url: string): { name: string; path: string } | null {
  if (!URL.canParse(url)) return null;
  const { hostname, pathname, search } = new URL(url);
  if (hostname !== sinkHost) return null;
  return { name: decodeURIComponent(pathname.split('/')[1] ?? '') || 'default', path: pathname + search };
}

export interface SinkCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Stores a request and decides its answer. */
export function receive(account: Account, name: string, call: SinkCall): { request: SinkRequest; answer: SinkAnswer } {
  const { store, clock } = account;
  return store.update(() => {
    const sink = store.tables.sinks.get(name);
    const answer = nextAnswer(sink);
    if (sink) store.tables.sinks.patch(sink, { served: sink.served + 1 });
    const request = store.tables.sinkRequests.insert({
      id: account.ids.uuid(),
      seq: store.nextSeq(),
      sink: name,
      atMs: clock.now(),
      method: call.method,
      path: call.path,
      headers: Object.fromEntries(Object.entries(call.headers).map(([key, value]) => [key.toLowerCase(), value])),
      body: call.body,
      signatureValid: judge(account, name, call),
      answered: answer.status,
    });
    return { request, answer };
  });
}

/** By the secrets of the endpoints whose URL is this sink; null when there is none. */
function judge(account: Account, name: string, call: SinkCall): boolean | null {
  const header = Object.entries(call.headers).find(([key]) => key.toLowerCase() === 'x-service-signature')?.[1] ?? '';
  const secrets = [...account.store.tables.endpoints.all()]
    .filter((endpoint) => sinkOf(endpoint.url)?.name === name)
    .map((endpoint) => endpoint.secret);
  if (secrets.length === 0) return null;
  return secrets.some((secret) => verifySignature(secret, call.body, header));
}

/** A sender that keeps what is meant for a sink and hands everything else on. */
export function sinkSender(account: () => Account, network: Sender, host: HostTime, timeoutMs: number): Sender {
  return {
    send: (request) => {
      const sink = sinkOf(request.url);
      return sink ? deliver(account(), sink, request, host, timeoutMs) : network.send(request);
    },
    close: () => network.close(),
  };
}

async function deliver(
  account: Account,
  sink: { name: string; path: string },
  { url, headers, body }: SendRequest,
  host: HostTime,
  timeoutMs: number,
): Promise<Outcome> {
  const startedMs = host.monotonic();
  const text = body.toString();
  const { answer } = receive(account, sink.name, { method: 'POST', path: sink.path, headers, body: text });
  const waitMs = Math.min(answer.delayMs, timeoutMs);
  if (waitMs > 0) await new Promise<void>((resolve) => host.setTimer(waitMs, resolve));
  const base = {
    durationMs: host.monotonic() - startedMs,
    sentTo: url,
    plain: false,
    request: { url, headers: { ...headers }, body: text },
  };
  if (answer.delayMs >= timeoutMs) {
    const message = `The sink was told to wait ${answer.delayMs} ms; an answer must come within ${timeoutMs} ms.`;
    return { ...base, ok: false, status: null, error: { code: 'timeout', message } };
  }
  const { status } = answer;
  const response = { headers: {}, body: '', truncated: false };
  if (status >= 200 && status < 300) return { ...base, ok: true, status, response };
  const message = `The sink was told to answer ${status}; only 2xx is success.`;
  return { ...base, ok: false, status, error: { code: 'non_2xx', message }, response };
}
