import type { SystemClock } from '../../time/system-clock.js';
import { ConnectError } from './connection-errors.js';
import { openSocket } from './peer.js';
import type { Peer } from './peer.js';

export type Protocol = 'tls' | 'plain';

/**
 * How long a server may stay silent on a TLS greeting before it counts as one that is waiting for the end of an
 * HTTP request line.
 */
const SILENCE_MS = 1_000;

/** Failures before a byte could be exchanged: they say nothing about what the server speaks. */
const UNREACHED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT', 'EACCES']);

/**
 * Finds out what a local host speaks by greeting it in TLS (contract §6a): a finished handshake or a TLS alert means
 * TLS; an HTTP answer, a hang-up or silence means plain HTTP. Nothing of the webhook is sent.
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
