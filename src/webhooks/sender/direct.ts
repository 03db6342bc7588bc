/** Receivers that are reached without a network of ours in between: the built-in sink, and a client's tunnel (contract §6c, d). */
import { AnswerBody } from './answer-body.js';
import type { AttemptTrace } from './attempt-trace.js';
import type { Cutoff } from './cutoff.js';
import { SendFailure } from './send-failure.js';
import type { DirectAnswer, SendRequest } from './sender-types.js';
import { SINK_HOST } from '../sink-address.js';
import type { SinkAddress } from '../sink-address.js';
import { TUNNEL_HOST } from '../tunnel-address.js';
import { tunnelClosed } from '../tunnels.js';
import { wireHeaders } from './wire-headers.js';

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
  note(trace, await request.sink({ name, path, method: 'POST', headers: trace.headers, body }));
}

export async function deliverToTunnel(
  request: SendRequest,
  tunnel: string,
  trace: AttemptTrace,
  cutoff: Cutoff,
): Promise<void> {
  if (request.tunnel === undefined) throw tunnelClosed();
  const body = bodyFor(TUNNEL_HOST, request, trace);
  trace.doing = 'waiting for the client at the other end of the tunnel';
  note(trace, await request.tunnel({ tunnel, method: 'POST', headers: trace.headers, body }, cutoff));
}

function bodyFor(host: string, request: SendRequest, trace: AttemptTrace): Buffer {
  const body = Buffer.from(request.body);
  trace.headers = wireHeaders(request.headers, request.url, host, body.length);
  return body;
}

function note(trace: AttemptTrace, { status, headers = {}, body = '' }: DirectAnswer): void {
  const kept = new AnswerBody();
  kept.add(Buffer.from(body));
  kept.end();
  trace.status = status;
  trace.answerHeaders = headers;
  trace.answerBody = kept;
}
