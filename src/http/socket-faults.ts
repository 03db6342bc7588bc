/**
 * Faults that really happen on the wire (contract §5, `fault_real`): each ends the exchange instead of a whole answer.
 */
import type { Response } from 'express';
import type { FaultReal } from '../scenarios/schema/slots.js';
import type { HostTime } from '../time/host.js';

/** How long a call without an answer is left hanging when the rule names no time of its own. */
const hangMs = 30_000;

type Fault = (response: Response, text: string, host: HostTime) => void;

const faults: Readonly<Record<FaultReal, Fault>> = {
  /** A TCP reset: the client sees ECONNRESET. */
  reset: ({ socket }) => socket?.resetAndDestroy(),
  /** The connection is closed without a byte. */
  empty: ({ socket }) => socket?.end(),
  /** No answer, until the client gives up or the time is over. */
  hang: (response, _text, host) => {
    const cancel = host.setTimer(hangMs, () => response.socket?.destroy(), { unref: true });
    response.socket?.once('close', cancel);
  },
  /** The head promises more than comes. */
  truncate: (response, text) => {
    const half = Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2));
    response.write(half, () => response.socket?.destroy());
  },
  /** Bytes that are no HTTP. */
  garbage: ({ socket }) => {
    socket?.end('\u0000\u0007NOT/HTTP \u0001\u0002\u0003\r\n%%% garbage %%%\r\n\r\n', 'latin1');
  },
};

/** Whether the fault still needs the head of a real answer. */
export function wantsHead(fault: FaultReal): boolean {
  return fault === 'truncate';
}

export function strike(fault: FaultReal, response: Response, text: string, host: HostTime): void {
  faults[fault](response, text, host);
}
