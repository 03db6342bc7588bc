/** Passes a delivery on to the user's own server, byte for byte, and brings its answer or its refusal back (contract §6c). */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { TunnelAsk } from '../../live/frame.js';
import type { HostTime } from '../../time/host.js';
import { AnswerBody } from '../../webhooks/answer-body.js';
import { hostNameOf, isAddress, isLocalName } from '../../domain/host-name.js';
import type { SendErrorCode } from '../../webhooks/sender-types.js';
import { flattenHeaders } from '../../webhooks/wire-headers.js';

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

/** Headers of the way to us, not of the way to the server. */
const ofTheConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

export function forwardTo(target: URL, host: HostTime): Forward {
  const isTls = target.protocol === 'https:';
  const name = hostNameOf(target);
  const agent = isTls
    ? // As everywhere: who names a local host does not want its certificate judged.
      new HttpsAgent({ keepAlive: true, rejectUnauthorized: !isLocalName(name) && !isAddress(name) })
    : new HttpAgent({ keepAlive: true });
  const start = isTls ? httpsRequest : httpRequest;
  return (ask, timeoutMs) =>
    new Promise((resolve) => {
      const body = Buffer.from(ask.body);
      const options: RequestOptions = { method: ask.method, agent, headers: headersFor(ask, body.length) };
      const call = start(target, options);
      const cancel = host.setTimer(timeoutMs, () => {
        resolve(refusal('timeout', `${target.href} did not answer within ${timeoutMs} ms.`));
        call.destroy();
      });
      call.on('error', (error) => resolve(explain(error, target)));
      call.on('close', cancel);
      call.on('response', (response) => {
        response.on('error', (error) => resolve(explain(error, target)));
        void answerOf(response).then(resolve, (error: unknown) => resolve(explain(error, target)));
      });
      call.end(body);
    });
}

function headersFor({ headers }: TunnelAsk, bodyBytes: number): Record<string, string> {
  const theirs = Object.entries(headers).filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
  return { ...Object.fromEntries(theirs), 'content-length': String(bodyBytes) };
}

async function answerOf(response: IncomingMessage): Promise<ForwardAnswer> {
  const body = new AnswerBody();
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
    return refusal('connection_reset', `${target.origin} closed the connection without a complete answer.`);
  }
  if (code === 'ENOTFOUND') return refusal('dns_not_found', `The name ${target.hostname} does not exist.`);
  const detail = message === '' ? code : message;
  return refusal('connection_failed', `${target.origin} could not be reached: ${detail}.`);
}

function refusal(code: SendErrorCode, message: string): ForwardRefusal {
  return { error: { code, message } };
}
