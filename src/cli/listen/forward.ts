/** Forwards a delivery to the user's server, byte for byte, and returns its response or the error. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { TunnelAsk } from '../../live/frame.js';
import type { SystemClock } from '../../time/system-clock.js';
import { ReceivedBody } from '../../webhooks/exchange.js';
import { hostNameOf, isAddress, isLocalName } from '../../domain/host-name.js';
import type { SendErrorCode } from '../../webhooks/failure.js';

export interface ForwardAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ForwardRefusal {
  readonly error: { readonly code: SendErrorCode; readonly message: string };
}

/** Makes the request; never rejects. */
export type Forward = (ask: TunnelAsk, timeoutMs: number) => Promise<ForwardAnswer | ForwardRefusal>;

/** Headers of the connection to this process, not of the one to the server. */
const ofTheConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

export function forwardTo(target: URL, host: SystemClock): Forward {
  const name = hostNameOf(target);
  // As for deliveries: the certificate of a local host is not verified.
  const rejectUnauthorized = !isLocalName(name) && !isAddress(name);
  const start = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return async (ask, timeoutMs) => {
    const cut = new AbortController();
    const cancel = host.setTimer(timeoutMs, () => cut.abort());
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const body = Buffer.from(ask.body);
        const headers = headersFor(ask, body.length);
        // A new connection each time: a server may close a kept one just as the next request is written.
        const options = { method: ask.method, agent: false, rejectUnauthorized, headers, signal: cut.signal };
        start(target, options, resolve).on('error', reject).end(body);
      });
      return await answerOf(response);
    } catch (error) {
      if (!cut.signal.aborted) return explain(error, target);
      return refusal('timeout', `${target.href} did not respond within ${timeoutMs} ms.`);
    } finally {
      cancel();
    }
  };
}

function headersFor({ headers }: TunnelAsk, bodyBytes: number): Record<string, string> {
  const theirs = Object.entries(headers).filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
  return { ...Object.fromEntries(theirs), 'content-length': String(bodyBytes) };
}

async function answerOf(response: IncomingMessage): Promise<ForwardAnswer> {
  const received = new ReceivedBody();
  for await (const chunk of response) {
    if (!received.add(chunk as Buffer)) break;
  }
  const headers: Record<string, string> = {};
  for (const [name, values = []] of Object.entries(response.headersDistinct)) headers[name] = values.join(', ');
  return { status: response.statusCode ?? 0, headers, body: received.record.body };
}

function explain(error: unknown, target: URL): ForwardRefusal {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') {
    return refusal('connection_refused', `${target.origin} refused the connection. Is your server running there?`);
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return refusal('connection_reset', `${target.origin} closed the connection without a complete response.`);
  }
  if (code === 'ENOTFOUND') return refusal('dns_not_found', `The name ${target.hostname} does not exist.`);
  const detail = message === '' ? code : message;
  return refusal('connection_failed', `${target.origin} could not be reached: ${detail}.`);
}

function refusal(code: SendErrorCode, message: string): ForwardRefusal {
  return { error: { code, message } };
}
