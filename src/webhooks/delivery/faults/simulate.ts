/** A receiver that is not contacted: its failure or its answer is made up, and costs no real time (contract §5). */
import type { DeliveryFault } from '../../../domain/delivery.js';
import type { SendError } from '../../sender/send-error.js';
import type { Outcome, SendRequest } from '../../sender/sender-types.js';

const failures: Readonly<Record<'refused' | 'timeout' | 'reset', SendError>> = {
  refused: { code: 'connection_refused', message: 'Simulated: the receiver refused the connection.' },
  timeout: { code: 'timeout', message: 'Simulated: the receiver did not answer in time.' },
  reset: { code: 'connection_reset', message: 'Simulated: the receiver reset the connection.' },
};

export function simulated(simulate: NonNullable<DeliveryFault['simulate']>, request: SendRequest): Outcome {
  const { url, headers } = request;
  const base = {
    durationMs: 0,
    sentTo: url,
    plain: false,
    hint: 'A rule simulates the receiver; nothing was sent.',
    request: { url, headers, body: request.body.toString() },
  };
  if (typeof simulate !== 'number') return { ...base, ok: false, status: null, error: failures[simulate] };
  const response = { headers: {}, body: '', truncated: false };
  if (simulate >= 200 && simulate < 300) return { ...base, ok: true, status: simulate, response };
  const message = `Simulated: the receiver answered ${simulate}; only 2xx is success.`;
  return { ...base, ok: false, status: simulate, error: { code: 'non_2xx', message }, response };
}
