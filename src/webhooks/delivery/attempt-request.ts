/** What an attempt asks the sender to send: the signed event, spoiled where a rule or a caller wants it so. */
import type { Delivery, DeliveryFault } from '../../domain/delivery.js';
import type { Endpoint } from '../../domain/endpoint.js';
import type { Event } from '../../domain/event.js';
import { bodyToSend } from './faults/body.js';
import { signatureHeader } from './faults/signature.js';
import { unknownKind } from './faults/unknown-type.js';
import type { SendRequest, SinkReceiver, TunnelReceiver } from '../sender/sender-types.js';
import { SIGNATURE_HEADER } from '../sender/signature.js';

/** An attempt that is owed now. */
export interface Ready {
  readonly delivery: Delivery;
  readonly event: Event;
  readonly endpoint: Endpoint;
  readonly number: number;
  /** The same since the delivery was last asked for again. */
  readonly step: number;
}

/** The same for all attempts of an account. */
export interface RequestParts {
  /** Who takes what is addressed to a sink. */
  readonly sink: SinkReceiver;
  /** Who takes what is addressed to a tunnel. */
  readonly tunnel: TunnelReceiver;
  /** Whether `X-Service-Event` and its kin are sent (dialect `webhooks.extra_headers`). */
  readonly extraHeaders: boolean;
}

export function attemptRequest(
  { sink, tunnel, extraHeaders }: RequestParts,
  { delivery, event, endpoint, number }: Ready,
  fault: DeliveryFault | null,
): SendRequest {
  const body = bodyToSend(fault?.body ?? 'exact', event.body);
  const signature = signatureHeader(fault?.signature ?? 'valid', endpoint.secret, body);
  const headers: Record<string, string> = { 'Content-Type': 'application/json', 'User-Agent': 'messaging-sandbox' };
  if (signature !== null) headers[SIGNATURE_HEADER] = signature;
  if (extraHeaders) {
    headers['X-Service-Event'] = fault?.body === 'unknown_type' ? unknownKind(event.type) : event.type;
    headers['X-Service-Event-Id'] = event.id;
    headers['X-Service-Delivery'] = delivery.id;
    headers['X-Service-Attempt'] = String(number);
  }
  return { url: endpoint.url, headers, body, sink, tunnel, faulty: fault !== null };
}
