import type { SystemClock } from '../../time/system-clock.js';
import { openSocket, type Peer } from './peer.js';

/** How long a server may stay silent on a TLS greeting before it counts as one that waits for an HTTP request line. */
const SILENCE_MS = 1_000;

/**
 * Returns whether a local host supports TLS, by starting a handshake: a finished handshake or a TLS alert means that it does.
 * Nothing of the webhook is sent. False when `signal` ends it.
 */
export function supportsTls(peer: Peer, host: SystemClock, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket({ ...peer, tls: 'local' });
    const onAbort = (): void => conclude(false);
    const stopTimer = host.setTimer(SILENCE_MS, () => conclude(false));
    const conclude = (found: boolean): void => {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      resolve(found);
    };
    socket.once('secureConnect', () => conclude(true));
    socket.on('error', (error: Error & { code?: string }) => conclude(error.code?.includes('ALERT') === true));
    socket.once('close', () => conclude(false));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
