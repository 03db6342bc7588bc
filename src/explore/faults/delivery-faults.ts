/** Faults of the delivery of an event. */
import { always, doing, once, recoverable, webhook, type Then } from './fault-kit.js';
import type { Fault } from '../facts/types.js';

const unsigned = { body: 'forged_before', signature: 'missing' };

/** The response of the receiver comes too late, so the event is delivered once more. */
export const deliveredAgain: Then = { webhook: { receiver: { simulate: 'late' } } };

/** Other events come between the two. */
export const again = recoverable(2, 'again', 'is delivered again after a minute', doing(deliveredAgain));

export const deliveryFaults: readonly Fault[] = [
  recoverable(1, 'twice', 'is delivered twice', webhook({ duplicate: 1 })),
  recoverable(2, 'forged', 'arrives after a forged request with its id', webhook({ body: 'forged_before' }), once),
  recoverable(3, 'unsigned', 'arrives after a forged request with its id and no signature', webhook(unsigned), once),
  recoverable(
    4,
    'reformatted',
    'arrives with other spacing, correctly signed',
    webhook({ body: 'reformatted' }, always),
    once,
  ),
];
