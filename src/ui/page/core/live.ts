/** Keeps the live stream of one account connected. After each connection, the sandbox says `reset`. */
import { signal } from '@preact/signals';
import { ApiError, apiOf, controlToken } from './api.js';
import { later, monotonicMs } from './browser.js';
import type { Info } from './records.js';

/** As clients/README.md describes it: a `reset`, a change of the clock or the scenario, or numbers of changes. */
export interface Frame {
  readonly at: string;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type Connection =
  | { readonly state: 'connecting' | 'live' | 'waiting' }
  | { readonly state: 'refused'; readonly message: string };

export type LiveStream = ReturnType<typeof liveStream>;

/** Milliseconds before the first attempt to connect again, each time doubled, and at most. */
const againMs = 250;
const mostMs = 5000;
/** Milliseconds by which a sandbox has to be younger than the page's to be another one: response times are not exact. */
const toleranceMs = 500;

/**
 * @param onOpen is called when the stream is connected; `restarted`: to another process than before
 */
export function liveStream(
  key: string,
  onFrame: (frame: Frame) => void,
  onOpen: (info: Info, restarted: boolean) => void,
) {
  const connection = signal<Connection>({ state: 'connecting' });
  /** The time when the sandbox started, on the page's clock. */
  let startedAtMs = Infinity;
  let attempts = 0;
  let stop = () => undefined as unknown;

  const lost = () => {
    connection.value = { state: 'waiting' };
    stop = later(Math.min(mostMs, againMs * 2 ** attempts), () => void connect());
    attempts += 1;
  };
  const connect = async () => {
    stop();
    const stopped = new AbortController();
    stop = () => stopped.abort();
    try {
      // A browser does not report why a socket was rejected, but a call does.
      const info = await apiOf(key).get('/_sandbox/info');
      if (stopped.signal.aborted) return;
      const startMs = monotonicMs() - info.uptime_ms;
      const restarted = startMs > startedAtMs + toleranceMs;
      if (!restarted) startedAtMs = Math.min(startMs, startedAtMs);
      const query = new URLSearchParams({
        key,
        summary: '1',
        ...(controlToken.value !== null && { control_token: controlToken.value }),
      });
      const socket = new WebSocket(`/_sandbox/live?${query.toString()}`);
      socket.onopen = () => {
        if (restarted) startedAtMs = startMs;
        attempts = 0;
        connection.value = { state: 'live' };
        onOpen(info, restarted);
      };
      socket.onmessage = ({ data }) => onFrame(JSON.parse(String(data)) as Frame);
      socket.onclose = lost;
      stop = () => {
        socket.onclose = null;
        socket.close();
      };
    } catch (error) {
      if (stopped.signal.aborted) return;
      if (error instanceof ApiError && error.status === 401)
        connection.value = { state: 'refused', message: error.message };
      else lost();
    }
  };
  return { connection, connect, stop: () => stop() };
}
