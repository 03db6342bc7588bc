/** Keeps the live stream of one account connected. After each connection, everything must be read again. */
import { signal } from '@preact/signals';
import { Api, ApiError, controlToken } from './api.js';
import { later } from './browser.js';

/** One change, as docs/control-plane.md describes it. */
export interface Frame {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Listener {
  /** Receives several frames at once, in order, so that views are drawn only once. */
  readonly onFrames: (frames: readonly Frame[]) => void;
  /** The stream is connected: from here on, it has every change, and everything else must be read. */
  readonly onOpen: () => void;
}

export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** Disconnected; reconnects automatically. */
  | { readonly state: 'waiting'; readonly attempt: number }
  /** The key or the token was rejected. */
  | { readonly state: 'refused'; readonly message: string };

/** Milliseconds to wait before the nth consecutive attempt. */
export function retryDelayMs(attempt: number): number {
  return Math.min(5000, 250 * 2 ** (attempt - 1));
}

export class LiveStream {
  readonly connection = signal<Connection>({ state: 'connecting' });

  readonly #key: string;
  readonly #listener: Listener;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #queue: Frame[] = [];
  #flushing = false;
  #callOff: () => void = () => undefined;
  /** Changes with every attempt and with the stop, so that results of an earlier attempt are ignored. */
  #life = 0;
  #stopped = false;

  constructor(key: string, listener: Listener) {
    this.#key = key;
    this.#listener = listener;
  }

  start(): void {
    void this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    this.#life += 1;
    this.#callOff();
    this.#socket?.close();
  }

  /** Connects at once instead of waiting. */
  retry(): void {
    if (this.connection.peek().state === 'live' || this.#stopped) return;
    this.#callOff();
    void this.#connect();
  }

  async #connect(): Promise<void> {
    const life = (this.#life += 1);
    // A browser does not report why a socket was rejected, but a call does.
    const info = await new Api(this.#key).get('/_sandbox/info').catch((error: unknown) => error);
    if (life !== this.#life) return;
    if (info instanceof ApiError && info.status === 401) {
      this.connection.value = { state: 'refused', message: info.message };
    } else if (info instanceof Error) {
      this.#lost();
    } else {
      this.#open();
    }
  }

  #open(): void {
    const query = new URLSearchParams({ key: this.#key });
    if (controlToken.value !== null) query.set('control_token', controlToken.value);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    // A caller may have requested this without waiting for the previous attempt.
    this.#callOff();
    this.#socket?.close();
    const socket = new WebSocket(`${scheme}://${location.host}/_sandbox/live?${query.toString()}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempt = 0;
      this.connection.value = { state: 'live' };
      this.#listener.onOpen();
    };
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as Frame);
    socket.onclose = () => {
      if (this.#socket === socket && !this.#stopped) this.#lost();
    };
  }

  #lost(): void {
    this.#socket = null;
    this.#attempt += 1;
    this.connection.value = { state: 'waiting', attempt: this.#attempt };
    this.#callOff = later(retryDelayMs(this.#attempt), () => void this.#connect());
  }

  #take(frame: Frame): void {
    // The first frame of a connection; `onOpen` has said so.
    if (frame.kind === 'reset' && frame.data['reason'] === 'connected') return;
    this.#queue.push(frame);
    if (this.#flushing) return;
    this.#flushing = true;
    // A timer instead of an animation frame, so that a page in the background does not fall behind.
    later(16, () => {
      this.#flushing = false;
      const frames = this.#queue;
      this.#queue = [];
      if (!this.#stopped) this.#listener.onFrames(frames);
    });
  }
}
