/** Forwards a delivery to the user's server, byte for byte, and returns its response or the error. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { TunnelAsk } from '../../websocket/frame.js';
import type { SystemClock } from '../../time/system-clock.js';
import { ResponseBody } from '../../webhooks/sender/attempt-trace.js';
import { StaleConnectionError, isStale } from '../../webhooks/sender/send-error.js';
import { hostNameOf, isAddress, isLocalName } from '../../domain/host-name.js';
import type { SendErrorCode } from '../../webhooks/sender/send-error.js';
import { flattenHeaders } from '../../webhooks/sender/request-headers.js';

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
  const way: Way = {
    target,
    host,
    agent: target.protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true }),
    // As for deliveries: the certificate of a local host is not verified.
    rejectUnauthorized: !isLocalName(name) && !isAddress(name),
  };
  return (ask, timeoutMs) =>
    new Promise((resolve) => {
      const cut = new AbortController();
      const cancel = host.setTimer(timeoutMs, () => {
        resolve(refusal('timeout', `${target.href} did not respond within ${timeoutMs} ms.`));
        cut.abort();
      });
      void answerTo(way, ask, cut.signal)
        .catch((error: unknown) => explain(error, target))
        .then((answer) => {
          cancel();
          resolve(answer);
        });
    });
}

/** The destination of requests, and how to send them. */
interface Way {
  readonly target: URL;
  readonly host: SystemClock;
  readonly agent: HttpAgent;
  readonly rejectUnauthorized: boolean;
}

/**
 * If the server closed a kept connection just as the request was written, a new connection replaces it once, as in the
 * sandbox's own sender.
 */
async function answerTo(way: Way, ask: TunnelAsk, signal: AbortSignal): Promise<ForwardAnswer> {
  try {
    return await answerOf(await makeCall(way, way.agent, ask, signal));
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error;
    return answerOf(await makeCall(way, false, ask, signal));
  }
}

/** @param agent false for a new connection */
function makeCall(way: Way, agent: HttpAgent | false, ask: TunnelAsk, signal: AbortSignal): Promise<IncomingMessage> {
  const { target, host, rejectUnauthorized } = way;
  const body = Buffer.from(ask.body);
  const startedAtMs = host.monotonic();
  const start = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const headers = headersFor(ask, body.length);
    const call = start(target, { method: ask.method, agent, rejectUnauthorized, headers, signal });
    let heardBytes = () => 0;
    call.on('socket', (socket) => {
      const before = socket.bytesRead;
      heardBytes = () => socket.bytesRead - before;
    });
    call.on('error', (error) => {
      const heard = heardBytes() > 0;
      const tookMs = host.monotonic() - startedAtMs;
      const stale = isStale(error, { reused: call.reusedSocket, heard, tookMs });
      reject(stale ? new StaleConnectionError(error) : error);
    });
    call.on('response', resolve);
    call.end(body);
  });
}

function headersFor({ headers }: TunnelAsk, bodyBytes: number): Record<string, string> {
  const theirs = Object.entries(headers).filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
  return { ...Object.fromEntries(theirs), 'content-length': String(bodyBytes) };
}

async function answerOf(response: IncomingMessage): Promise<ForwardAnswer> {
  const body = new ResponseBody();
  for await (const chunk of response) {
    if (!body.add(chunk as Buffer)) break;
  }
  return { status: response.statusCode ?? 0, headers: flattenHeaders(response.headers), body: body.text };
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
