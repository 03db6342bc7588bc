/** What goes over the live socket (contract §4, last row; docs/live.md). */

/** One change of an account. */
export interface Frame {
  /** Where in the account's one sequence it stands: the `after` of whoever takes up the stream behind it. */
  readonly seq: number;
  /** Account time, ISO 8601. */
  readonly at: string;
  /** Noun and what happened: `message.created`, `delivery.updated`, … */
  readonly kind: string;
  /** The record as the control plane shows it. */
  readonly data: object;
}

/** The first frame of a tunnel: what was registered for it. */
export interface TunnelReady {
  readonly webhook_id: string;
  readonly url: string;
  readonly secret: string;
  readonly events: readonly string[];
  /** Milliseconds that an answer may take. */
  readonly timeout_ms: number;
}

/** An attempt that the client has to make, and to answer under the same id. */
export interface TunnelAsk {
  readonly id: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** The body's text. Its UTF-8 bytes are what was signed. */
  readonly body: string;
}

/** Frames about the connection itself; they stand in no sequence. */
export type ConnectionFrame =
  | { readonly kind: 'tunnel.ready'; readonly data: TunnelReady }
  | { readonly kind: 'tunnel.request'; readonly data: TunnelAsk }
  | { readonly kind: 'error'; readonly data: { readonly code: string; readonly message: string } };
