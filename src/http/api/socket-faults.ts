/** Faults on the wire (`fault_real` of a rule): each ends the call instead of a whole response. */
import type { ServerResponse } from 'node:http';
import type { FaultReal } from '../../scenario/language/slots.js';
import type { SystemClock } from '../../time/system-clock.js';

/** How long a call without a response hangs when the rule names no time of its own. */
export const hangMs = 30_000;

export interface InjectedFault {
  readonly fault: FaultReal;
  /** How long `hang` holds the socket. */
  readonly holdMs: number;
}

interface Target {
  readonly response: ServerResponse;
  /** The body that would have been sent. */
  readonly text: string;
  readonly host: SystemClock;
}

const faults: Readonly<Record<FaultReal, (target: Target, holdMs: number) => void>> = {
  /** A TCP reset: the client sees ECONNRESET. */
  reset: ({ response }) => response.socket?.resetAndDestroy(),
  /** The connection is closed without a byte. */
  empty: ({ response }) => response.socket?.end(),
  /** No response until the client gives up or the time is over. */
  hang: ({ response, host }, holdMs) => {
    const cancel = host.setTimer(holdMs, () => response.socket?.destroy(), { unref: true });
    response.socket?.once('close', cancel);
  },
  /** The head promises more than comes. */
  truncate: ({ response, text }) => {
    const half = Buffer.from(text).subarray(0, Math.floor(Buffer.byteLength(text) / 2));
    response.write(half, () => response.socket?.destroy());
  },
  /** Bytes that are not HTTP. */
  garbage: ({ response }) => {
    response.socket?.end('\u0000\u0007NOT/HTTP \u0001\u0002\u0003\r\n%%% garbage %%%\r\n\r\n', 'latin1');
  },
};

/** Whether the fault needs the head of a real response. */
export function wantsHead(fault: FaultReal): boolean {
  return fault === 'truncate';
}

export function injectFault({ fault, holdMs }: InjectedFault, target: Target): void {
  faults[fault](target, holdMs);
}
