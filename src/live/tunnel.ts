/**
 * A tunnel: an endpoint that exists while its client is connected. The client's response, or its disconnect, is the result
 * of an attempt; the sender limits the time, as for any other receiver.
 */
import { transaction, type Account } from '../account/account.js';
import type { Endpoint } from '../domain/rows.js';
import { isObject, isShallow } from '../domain/json.js';
import type { EventType } from '../domain/words.js';
import {
  TUNNEL_HOST,
  tunnelClosed,
  type DirectReceiver,
  type DirectResponse,
  type Tunnels,
} from '../webhooks/direct.js';
import { removeEndpoint } from '../webhooks/endpoints.js';
import { SendFailure, type SendErrorCode } from '../webhooks/send-error.js';

export interface TunnelOptions {
  readonly events: readonly EventType[];
  /** Null to generate a secret. */
  readonly secret: string | null;
}

export interface TunnelReady {
  readonly webhook_id: string;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly string[];
  readonly timeout_ms: number;
}

export interface TunnelAsk {
  readonly id: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body. The signature covers its UTF-8 bytes. */
  readonly body: string;
}

export type ConnectionFrame =
  | { readonly kind: 'tunnel.ready'; readonly data: TunnelReady }
  | { readonly kind: 'tunnel.request'; readonly data: TunnelAsk }
  | { readonly kind: 'error'; readonly data: { readonly code: string; readonly message: string } };

interface Asked {
  readonly resolve: (response: DirectResponse) => void;
  readonly reject: (failure: SendFailure) => void;
}

export class Tunnel {
  readonly endpoint: Pick<Endpoint, 'id' | 'url' | 'events' | 'secret'>;
  readonly #asked = new Map<string, Asked>();
  readonly #close: () => void;
  #asks = 0;

  constructor(
    private readonly account: Account,
    { events, secret }: TunnelOptions,
    tunnels: Tunnels,
    private readonly say: (frame: ConnectionFrame) => void,
  ) {
    this.endpoint = transaction(account, () => {
      const { ids } = account;
      const id = ids.uuid('tunnel');
      return { id, url: `https://${TUNNEL_HOST}/${id}`, events, secret: secret ?? ids.secret('tunnel') };
    });
    this.#close = tunnels.open(account.key, this.endpoint.id, this.#receive);
    this.register();
  }

  /** Needed again after a reset has removed the endpoint. */
  register(): void {
    const { store, clock } = this.account;
    const nowMs = clock.now();
    store.update(() => {
      const seq = store.nextSeq();
      const times = { createdAtMs: nowMs, updatedAtMs: nowMs, failingSinceMs: null };
      store.tables.endpoints.insert({ ...this.endpoint, seq, status: 'active', pauseReason: null, ...times });
    });
  }

  hear(text: string): void {
    const frame = parseFrame(text);
    const id = typeof frame['id'] === 'string' ? frame['id'] : '';
    const asked = this.#asked.get(id);
    if (!asked) {
      const message =
        `No request waits for this response, which may be too late: ${text.slice(0, 100)}. Respond to a tunnel.request ` +
        'with {"id","status","headers"?,"body"?}, or with {"id","error":{"code","message"}} when your server could not be reached.';
      this.say({ kind: 'error', data: { code: 'validation_error', message } });
      return;
    }
    this.#asked.delete(id);
    const result = 'error' in frame ? failureOf(frame['error']) : responseOf(frame);
    if (result instanceof SendFailure) asked.reject(result);
    else asked.resolve(result);
  }

  end(): void {
    this.#close();
    for (const { reject } of this.#asked.values()) {
      reject(tunnelClosed('The client of this tunnel disconnected before it responded.'));
    }
    this.#asked.clear();
    transaction(this.account, () => {
      const endpoint = this.account.store.tables.endpoints.get(this.endpoint.id);
      if (endpoint) removeEndpoint(this.account, endpoint);
    });
  }

  readonly #receive: DirectReceiver = ({ headers, body }, signal) =>
    new Promise((resolve, reject) => {
      const id = `ask_${(this.#asks += 1)}`;
      this.#asked.set(id, { resolve, reject });
      signal.addEventListener('abort', () => this.#asked.delete(id), { once: true });
      this.say({ kind: 'tunnel.request', data: { id, method: 'POST', headers, body } });
    });
}

const failureCodes: readonly SendErrorCode[] = [
  'connection_refused',
  'connection_reset',
  'connection_failed',
  'host_unreachable',
  'dns_not_found',
  'dns_failed',
  'tls_error',
  'invalid_response',
  'timeout',
];

/** Empty for a text that is not a JSON object. */
function parseFrame(text: string): Record<string, unknown> {
  try {
    const frame = JSON.parse(text) as unknown;
    // A deeper one could not be quoted in the record of the attempt.
    return isObject(frame) && isShallow(frame) ? frame : {};
  } catch {
    return {};
  }
}

/** An invalid response is the result of its request, because no other will follow. */
function responseOf({ status, headers = {}, body = '' }: Record<string, unknown>): DirectResponse | SendFailure {
  const flat = isObject(headers) ? Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]) : [[]];
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599;
  if (isStatus && typeof body === 'string' && flat.every(([, value]) => typeof value === 'string'))
    return { status, headers: Object.fromEntries(flat) as Record<string, string>, body };
  const found = JSON.stringify({ status, headers, body }).slice(0, 200);
  return new SendFailure(
    'invalid_response',
    `The response from the tunnel needs a status from 200 to 599, and texts as headers and body; found ${found}.`,
  );
}

function failureOf(error: unknown): SendFailure {
  const { code, message } = isObject(error) ? error : {};
  const known = failureCodes.find((each) => each === code);
  const why = typeof message === 'string' && message !== '' ? message : JSON.stringify(error).slice(0, 100);
  return known === undefined
    ? new SendFailure('connection_failed', `The client could not pass the request on: ${why}`)
    : new SendFailure(known, why);
}
