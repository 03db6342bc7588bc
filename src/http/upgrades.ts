/**
 * Which requests leave HTTP. Once somebody listens for upgrades, Node takes every `Upgrade` header for one, though a server
 * may pass over those it does not know (RFC 9110, §7.8): Java's client asks for HTTP/2 with each plain call, and would get
 * no answer any more. So only a WebSocket is an upgrade here, and everything else is the ordinary call that it can be.
 */
import { IncomingMessage } from 'node:http';

export function asksForWebSocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

const asked = Symbol('asked for an upgrade');

/** Before Node 24.9 there is no option for it; what the parser says of a request has to be read with a grain of salt. */
export class WebSocketOnlyRequest extends IncomingMessage {
  /** Set by the constructor that this class extends, so it is not to be set by this one. */
  declare [asked]: boolean | null;

  get upgrade(): boolean {
    return this[asked] === true && (this.method === 'CONNECT' || asksForWebSocket(this));
  }

  set upgrade(value: boolean | null) {
    this[asked] = value;
  }
}
