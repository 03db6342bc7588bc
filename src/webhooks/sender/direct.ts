/** Receivers that are reached without a network connection: the built-in sink, and a client's tunnel. */
import { SINK_HOST, type SinkAddress } from '../sink.js';
import { TUNNEL_HOST, tunnelClosed } from '../tunnels.js';
import { ResponseBody, type AttemptTrace } from './attempt-trace.js';
import { requestHeaders } from './request-headers.js';
import { SendFailure } from './send-error.js';
import type { DirectResponse, SendRequest } from './sender-types.js';

export async function deliverToSink(
  request: SendRequest,
  { name, path }: SinkAddress,
  trace: AttemptTrace,
): Promise<void> {
  if (request.sink === undefined) {
    throw new SendFailure('sink_not_available', `No sink is attached for ${request.url}.`);
  }
  const body = bodyFor(SINK_HOST, request, trace);
  trace.doing = 'waiting for the sink';
  record(trace, await request.sink({ name, path, method: 'POST', headers: trace.headers, body }));
}

export async function deliverToTunnel(
  request: SendRequest,
  tunnel: string,
  trace: AttemptTrace,
  signal: AbortSignal,
): Promise<void> {
  if (request.tunnel === undefined) throw tunnelClosed();
  const body = bodyFor(TUNNEL_HOST, request, trace);
  trace.doing = 'waiting for the client at the other end of the tunnel';
  record(trace, await request.tunnel({ tunnel, method: 'POST', headers: trace.headers, body }, signal));
}

function bodyFor(host: string, request: SendRequest, trace: AttemptTrace): Buffer {
  const body = Buffer.from(request.body);
  trace.headers = requestHeaders(request.headers, request.url, host, body.length);
  return body;
}

function record(trace: AttemptTrace, { status, headers = {}, body = '' }: DirectResponse): void {
  const kept = new ResponseBody();
  kept.add(Buffer.from(body));
  kept.end();
  trace.status = status;
  trace.responseHeaders = headers;
  trace.responseBody = kept;
}
