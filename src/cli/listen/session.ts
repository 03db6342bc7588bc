/**
 * Runs a session of `listen`: receives deliveries until the user stops it, and resumes with the same endpoint if the
 * connection breaks or the sandbox restarts.
 */
import type { ConnectionFrame, TunnelAsk, TunnelReady } from '../../websocket/frame.js';
import { pause } from '../../time/pause.js';
import { machineTime } from '../../time/system-clock.js';
import type { Connection } from '../../client/connection.js';
import { CliFailure } from '../failure.js';
import type { Forward } from './forward.js';
import type { Delivered } from './lines.js';
import { NotNow, openSocket, type Ended, type OpenSocket, type Reply } from './socket.js';

export interface SessionParts {
  readonly client: Connection;
  /** The options of the tunnel's first connection. */
  readonly query: URLSearchParams;
  readonly forward: Forward;
  readonly onReady: (ready: TunnelReady) => void;
  readonly onDelivered: (delivered: Delivered) => void;
  /** Describes a change of the connection in a sentence. */
  readonly onNotice: (text: string) => void;
}

const firstPauseMs = 250;
const longestPauseMs = 10_000;
/** The sandbox has removed this endpoint; after any other end, the client connects again. */
const overCodes: readonly number[] = [1000, 1008];

export class ListenSession {
  readonly #parts: SessionParts;
  #ready: TunnelReady | null = null;
  #pauseMs = firstPauseMs;
  #stopped = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /**
   * Resolves after `stop`.
   * @throws CliFailure if the first connection fails, or the sandbox rejects it
   */
  async run(stop: Promise<unknown>): Promise<void> {
    let socket: OpenSocket | null = null;
    const stopping = stop.then(() => {
      this.#stopped = true;
      socket?.close();
    });
    while (!this.#stopped) {
      socket = await this.#open();
      // A signal may have arrived while the connection was opened.
      if (this.#isStopped()) socket?.close();
      if (socket) {
        const ended = await socket.ended;
        if (!this.#isStopped()) this.#judge(ended);
      }
      socket = null;
      if (!this.#isStopped()) await Promise.race([this.#pause(), stopping]);
    }
  }

  /** A function, because a signal may change the value while we wait, which the compiler does not take into account. */
  #isStopped(): boolean {
    return this.#stopped;
  }

  /** Null if this attempt failed. */
  async #open(): Promise<OpenSocket | null> {
    const { client, query } = this.#parts;
    const asked = new URLSearchParams(query);
    if (this.#ready) {
      // The same URL and secret as before, so that the server under test keeps its configuration.
      asked.set('resume', this.#ready.webhook_id);
      asked.set('secret', this.#ready.secret);
    }
    try {
      return await openSocket({ client, query: asked, onText: (text, reply) => this.#hear(text, reply) });
    } catch (error) {
      if (error instanceof NotNow && this.#ready) return null;
      throw error;
    }
  }

  #judge({ code, reason }: Ended): void {
    const why = reason === '' ? `code ${code}` : reason;
    if (overCodes.includes(code)) throw new CliFailure(1, `listen: the sandbox ended the connection: ${why}.`);
    this.#parts.onNotice(`Connection lost (${why}); reconnecting when the sandbox is back.`);
  }

  async #pause(): Promise<void> {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    await pause(pauseMs);
  }

  #hear(text: string, reply: Reply): void {
    const frame = JSON.parse(text) as ConnectionFrame;
    if (frame.kind === 'tunnel.ready') this.#connected(frame.data);
    else if (frame.kind === 'tunnel.request') void this.#pass(frame.data, reply);
    else this.#parts.onNotice(frame.data.message);
  }

  #connected(ready: TunnelReady): void {
    this.#pauseMs = firstPauseMs;
    if (this.#ready === null) this.#parts.onReady(ready);
    else if (ready.webhook_id === this.#ready.webhook_id) this.#parts.onNotice('Connected again.');
    else this.#parts.onNotice('Reconnected, to a new endpoint with the same secret.');
    this.#ready = ready;
  }

  async #pass(ask: TunnelAsk, reply: Reply): Promise<void> {
    const { forward, onDelivered } = this.#parts;
    const [atMs, startedMs] = [machineTime.now(), machineTime.monotonic()];
    const result = await forward(ask, this.#ready?.timeout_ms ?? 0);
    reply(JSON.stringify({ id: ask.id, ...result }));
    onDelivered({ atMs, ask, result, durationMs: Math.round(machineTime.monotonic() - startedMs) });
  }
}
