/**
 * Faults that really happen on the wire (contract §5, `fault_real`): each ends the exchange instead of a whole answer.
 */
import type { ServerResponse } from 'node:http';
import type { FaultReal } from '../../scenario/language/slots.js';
import type { SystemClock } from '../../time/system-clock.js';

/** How long a call without an answer is left hanging when the rule names no time of its own. */
export const hangMs = 30_000;

export interface Stroke {
  readonly response: ServerResponse;
  /** The answer that would have been given. */
  readonly text: string;
  readonly host: SystemClock;
  /** How long `hang` holds the socket. */
  readonly holdMs: number;
}

type Fault = (stroke: Stroke) => void;

const faults: Readonly<Record<FaultReal, Fault>> = {
  /** A TCP reset: the client sees ECONNRESET. */
  reset: ({ response }) => response.socket?.resetAndDestroy(),
  /** The connection is closed without a byte. */
  empty: ({ response }) => response.socket?.end(),
  /** No answer, until the client gives up or the time is over. */
  hang: ({ response, host, holdMs }) => {
    const cancel = host.setTimer(holdMs, () => response.socket?.destroy(), { unref: true });
    response.socket?.once('close', cancel);
  },
  /** The head promises more than comes. */
  truncate: ({ response, text }) => {
    const half = Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2));
    response.write(half, () => response.socket?.destroy());
  },
  /** Bytes that are no HTTP. */
  garbage: ({ response }) => {
    response.socket?.end('\u0000\u0007NOT/HTTP \u0001\u0002\u0003\r\n%%% garbage %%%\r\n\r\n', 'latin1');
  },
};

/** Whether the fault still needs the head of a real answer. */
export function wantsHead(fault: FaultReal): boolean {
  return fault === 'truncate';
}

export function strike(fault: FaultReal, stroke: Stroke): void {
  faults[fault](stroke);
}
