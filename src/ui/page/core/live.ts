/** Keeps the live stream of one account connected. After each connection, the sandbox says `reset`. */
import { signal } from '@preact/signals';
import { apiOf, controlToken, done } from './api.js';
import { ApiError } from './api-error.js';
import { later, monotonicMs } from './browser.js';
import type { Info } from './records.js';

/** One change, as docs/control-plane.md describes it. */
export interface Frame {
  readonly at: string;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Listener {
  /** Receives several frames at once, in order, at most four times a second. */
  readonly onFrames: (frames: readonly Frame[]) => void;
  /** The stream is connected. `restarted`: to another process than before. */
  readonly onOpen: (restarted: Info | null) => void;
}

export type Connection =
  | { readonly state: 'connecting' | 'live' | 'waiting' }
  /** The key or the token was rejected. */
  | { readonly state: 'refused'; readonly message: string };

/** Milliseconds from the first frame to its listeners, and between two calls of them. */
const soonMs = 30;
const pauseMs = 250;
/** Tolerance in milliseconds of real time for a later start: clocks and response times are not exact. */
const toleranceMs = 500;

export class LiveStream {
  readonly connection = signal<Connection>({ state: 'connecting' });

  readonly #key: string;
  readonly #listener: Listener;
  #socket: WebSocket | null = null;
  #attempt = 0;
  /** When the sandbox started, on the page's clock; null before the first response. */
  #startedAtMs: number | null = null;
  #queue: Frame[] = [];
  #flushedAtMs = 0;
  #callOff: () => void = () => undefined;
  /** Changes with every attempt and with the stop, so that results of an earlier attempt are ignored. */
  #life = 0;

  constructor(key: string, listener: Listener) {
    this.#key = key;
    this.#listener = listener;
  }

  /** Connects, or connects at once instead of waiting. */
  async connect(): Promise<void> {
    this.#callOff();
    const life = (this.#life += 1);
    // A browser does not report why a socket was rejected, but a call does.
    const info = await done(apiOf(this.#key).GET('/_sandbox/info')).catch((error: unknown) => error);
    if (life !== this.#life) return;
    if (info instanceof ApiError && info.status === 401) {
      this.connection.value = { state: 'refused', message: info.message };
    } else if (info instanceof Error) {
      this.#lost();
    } else {
      this.#open(info as Info);
    }
  }

  stop(): void {
    this.#life += 1;
    this.#callOff();
    this.#socket?.close();
  }

  #open(info: Info): void {
    const startedAtMs = monotonicMs() - info.uptime_ms;
    const restarted = this.#startedAtMs !== null && startedAtMs > this.#startedAtMs + toleranceMs;
    if (restarted || this.#startedAtMs === null) this.#startedAtMs = startedAtMs;
    const life = this.#life;
    const query = new URLSearchParams({ key: this.#key });
    if (controlToken.value !== null) query.set('control_token', controlToken.value);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.#socket?.close();
    const socket = new WebSocket(`${scheme}://${location.host}/_sandbox/live?${query.toString()}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#attempt = 0;
      this.connection.value = { state: 'live' };
      this.#listener.onOpen(restarted ? info : null);
    };
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as Frame);
    socket.onclose = () => {
      if (life === this.#life) this.#lost();
    };
  }

  #lost(): void {
    this.#attempt += 1;
    this.connection.value = { state: 'waiting' };
    this.#callOff = later(Math.min(5000, 250 * 2 ** (this.#attempt - 1)), () => void this.connect());
  }

  #take(frame: Frame): void {
    const isFirst = this.#queue.length === 0;
    this.#queue.push(frame);
    if (!isFirst) return;
    later(Math.max(soonMs, this.#flushedAtMs + pauseMs - monotonicMs()), () => {
      this.#flushedAtMs = monotonicMs();
      const frames = this.#queue;
      this.#queue = [];
      this.#listener.onFrames(frames);
    });
  }
}
