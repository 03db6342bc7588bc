/** The frames of the live stream (docs/control-plane.md). */

/** One change of an account. */
export interface Frame {
  /** The account's sequence number after the write; it never falls, but for a restored snapshot. */
  readonly seq: number;
  /** Account time, ISO 8601. */
  readonly at: string;
  /** Noun and change: `message.created`, `delivery.updated`, … */
  readonly kind: string;
  /** The record as the control plane shows it. */
  readonly data: object;
}

/** The first frame of a tunnel: the endpoint registered for it. */
export interface TunnelReady {
  readonly webhook_id: string;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly string[];
  /** Longest time of a response, in milliseconds. */
  readonly timeout_ms: number;
}

/** An attempt that the client makes, and responds to under the same id. */
export interface TunnelAsk {
  readonly id: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body. The signature covers its UTF-8 bytes. */
  readonly body: string;
}

/** Frames about the connection itself, without a sequence number. */
export type ConnectionFrame =
  | { readonly kind: 'tunnel.ready'; readonly data: TunnelReady }
  | { readonly kind: 'tunnel.request'; readonly data: TunnelAsk }
  | { readonly kind: 'error'; readonly data: { readonly code: string; readonly message: string } };
