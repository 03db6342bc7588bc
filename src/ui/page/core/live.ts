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
  readonly onOpen: (info: Info, restarted: boolean) => void;
}

export type Connection =
  | { readonly state: 'connecting' | 'live' | 'waiting' }
  /** The key or the token was rejected. */
  | { readonly state: 'refused'; readonly message: string };

/** Milliseconds from the first frame to its listeners, and between two calls of them. */
const soonMs = 30;
const pauseMs = 250;
/** Milliseconds by which a sandbox has to be younger than the page to be another one: response times are not exact. */
const toleranceMs = 500;

export class LiveStream {
  readonly connection = signal<Connection>({ state: 'connecting' });
  #socket: WebSocket | null = null;
  #attempt = 0;
  /** When the sandbox started, on the page's clock. */
  #startedAtMs = Infinity;
  #queue: Frame[] = [];
  #flushedAtMs = 0;
  #callOff: () => void = () => undefined;
  /** Changes with every attempt and with the stop, so that results of an earlier attempt are ignored. */
  #life = 0;

  constructor(
    private readonly key: string,
    private readonly listener: Listener,
  ) {}

  /** Connects, or connects at once instead of waiting. */
  async connect(): Promise<void> {
    this.stop();
    const life = this.#life;
    try {
      // A browser does not report why a socket was rejected, but a call does.
      const info = await done(apiOf(this.key).GET('/_sandbox/info'));
      if (life === this.#life) this.#open(info, life);
    } catch (error) {
      if (life !== this.#life) return;
      if (error instanceof ApiError && error.status === 401) {
        this.connection.value = { state: 'refused', message: error.message };
      } else this.#lost();
    }
  }

  stop(): void {
    this.#life += 1;
    this.#callOff();
    this.#socket?.close();
  }

  #open(info: Info, life: number): void {
    const startedAtMs = monotonicMs() - info.uptime_ms;
    const restarted = startedAtMs > this.#startedAtMs + toleranceMs;
    if (!restarted) this.#startedAtMs = Math.min(startedAtMs, this.#startedAtMs);
    const query = new URLSearchParams({ key: this.key });
    if (controlToken.value !== null) query.set('control_token', controlToken.value);
    const socket = new WebSocket(`/_sandbox/live?${query.toString()}`);
    this.#socket = socket;
    socket.onopen = () => {
      if (restarted) this.#startedAtMs = startedAtMs;
      this.#attempt = 0;
      this.connection.value = { state: 'live' };
      this.listener.onOpen(info, restarted);
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
    if (this.#queue.push(frame) > 1) return;
    later(Math.max(soonMs, this.#flushedAtMs + pauseMs - monotonicMs()), () => {
      this.#flushedAtMs = monotonicMs();
      this.listener.onFrames(this.#queue.splice(0));
    });
  }
}
