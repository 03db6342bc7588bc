/** An attempt that ended by a bug of ours: on record it is a failure like any other, so that the timetable goes on. */
import { AttemptTrace } from '../sender/attempt-trace.js';
import type { Ready } from './attempt-request.js';
import { SendFailure } from '../sender/send-error.js';
import type { Outcome } from '../sender/sender-types.js';

export function brokenAttempt({ endpoint, event }: Ready): Outcome {
  const failure = new SendFailure(
    'internal_error',
    'The sandbox failed to make this attempt; its log says why.',
    'This is a mistake of the sandbox, not of the receiver: please report it, with the line of the log.',
  );
  return new AttemptTrace({ url: endpoint.url, headers: {}, body: event.body }).outcome(failure, 0);
}
