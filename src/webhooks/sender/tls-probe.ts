import type { SystemClock } from '../../time/system-clock.js';
import { openSocket, type Peer } from './peer.js';
import { ConnectError } from './send-error.js';

export type Protocol = 'tls' | 'plain';

/** How long a server may stay silent on a TLS greeting before it counts as one that waits for an HTTP request line. */
const SILENCE_MS = 1_000;

/** Failures before a byte could be exchanged: they do not reveal the protocol of the server. */
const UNREACHED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT', 'EACCES']);

/**
 * Finds out whether a local host supports TLS by starting a handshake: a finished handshake or a TLS alert means TLS; an
 * HTTP response, a hang-up or silence means plain HTTP. Nothing of the webhook is sent.
 * @throws ConnectError when no connection comes about, or `signal` ends the attempt.
 */
export function probeTls(peer: Peer, host: SystemClock, signal: AbortSignal): Promise<Protocol> {
  return new Promise((resolve, reject) => {
    const socket = openSocket({ ...peer, tls: 'local' });
    let stopTimer = (): void => undefined;
    const finish = (end: () => void): void => {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      end();
    };
    const conclude = (protocol: Protocol): void => {
      finish(() => {
        resolve(protocol);
      });
    };
    const onAbort = (): void => {
      finish(() => {
        reject(new ConnectError(signal.reason));
      });
    };
    socket.once('connect', () => {
      stopTimer = host.setTimer(SILENCE_MS, () => {
        conclude('plain');
      });
    });
    socket.once('secureConnect', () => {
      conclude('tls');
    });
    socket.on('error', (error: Error & { code?: string }) => {
      const code = error.code ?? '';
      if (UNREACHED.has(code)) {
        finish(() => {
          reject(new ConnectError(error));
        });
      } else {
        conclude(code.includes('ALERT') ? 'tls' : 'plain');
      }
    });
    socket.once('close', () => {
      conclude('plain');
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}
