/** Checks with corrupt bodies, and a check of the response times of the whole run. */
import { eventTypes } from '../domain/event.js';
import { bodyToSend } from '../webhooks/delivery/faults.js';
import { accepts, type Check, type CheckTexts, evaluateSurvived } from './check.js';
import type { Exchange, ReceiverClient } from './receiver-client.js';

/** A check that passes if a corrupt body gets any response and the next valid event a 2xx. */
function survives(texts: Omit<CheckTexts, 'criterion'>, body: 'truncate' | 'huge', label: string): Check {
  return {
    level: 'required',
    criterion: 'Fails without a complete response, or if the following event gets no 2xx.',
    ...texts,
    group: 'damage',
    play(receiver) {
      const event = receiver.events.sample('message.received');
      return evaluateSurvived(receiver, { label, event, body: bodyToSend(body, event.body) });
    },
  };
}

export const damageChecks: readonly Check[] = [
  survives(
    {
      id: 'truncated-body',
      title: 'Survives a truncated body',
      why: 'A correct signature proves who sent the body, not that it is valid JSON. An uncaught error ends the process, and with it every request in progress.',
      sends: 'The first half of message.received, correctly signed over these bytes; then a complete one.',
      expects: 'Any response (400 is best), and a 2xx for the event that follows.',
    },
    'truncate',
    'half a body',
  ),
  survives(
    {
      id: 'huge-body',
      title: 'Survives a body of two megabytes',
      why: 'A size limit is correct, but the receiver has to report it. If it closes the connection without a response, the event is sent again; without a limit it can run out of memory.',
      sends: 'message.received with two more megabytes in a property, correctly signed; then an ordinary one.',
      expects: 'Any response (2xx, or 413), and a 2xx for the event that follows.',
    },
    'huge',
    'two megabytes',
  ),
  accepts(
    'damage',
    {
      id: 'keeps-answering',
      title: 'Still accepts events after all other checks',
      why: 'Damage may show later: a connection that was not returned to its pool, a lock that was not released, a process that restarts forever.',
      sends: 'One event of each type, correctly signed, after everything else.',
    },
    (events) => eventTypes.map((type) => ({ label: type, event: events.sample(type) })),
  ),
];

const inTime: Check = {
  id: 'answers-in-time',
  group: 'time',
  title: 'Responds within 10 seconds',
  level: 'required',
  why: 'A later response does not count. The event is sent again although it was processed, and after a day the endpoint is paused.',
  sends: 'No requests: evaluates all requests of this run.',
  expects: 'A complete response within 10 seconds (or --timeout) to every request, including forged and corrupt ones.',
  criterion: 'Fails if a single response took longer.',
  async play(receiver) {
    await sampleIfNone(receiver);
    const late = receiver.history.filter(({ outcome }) => outcome.error?.code === 'timeout');
    const [first] = late;
    if (first === undefined) {
      return { result: 'passed', found: `slowest of ${receiver.history.length}: ${slowestOf(receiver.history)}` };
    }
    const found = `${late.length} of ${receiver.history.length} too late. ${first.label}: ${first.outcome.error?.message ?? ''}`;
    return { result: 'failed', found };
  },
};

const promptly: Check = {
  id: 'answers-promptly',
  group: 'time',
  title: 'Responds before it does the work',
  level: 'recommended',
  why: 'A receiver that needs seconds on your machine needs more under load. Store the event, respond, and do the work afterwards.',
  sends: 'No requests: evaluates every accepted event.',
  expects: 'A 2xx within a fifth of the time limit: 2 of 10 seconds.',
  criterion: 'Fails if a single response took longer. Skipped if no event was accepted.',
  async play(receiver) {
    await sampleIfNone(receiver);
    const accepted = receiver.history.filter(({ outcome }) => outcome.ok);
    if (accepted.length === 0) return { result: 'skipped', found: 'no event was accepted' };
    const slow = accepted.filter(({ outcome }) => outcome.durationMs > receiver.timeoutMs / 5);
    const found = `slowest of ${accepted.length} accepted: ${slowestOf(accepted)}`;
    return { result: slow.length === 0 ? 'passed' : 'failed', found };
  },
};

export const timeChecks: readonly Check[] = [inTime, promptly];

/** With `--only`, this check may have no earlier responses to evaluate. */
async function sampleIfNone(receiver: ReceiverClient): Promise<void> {
  if (receiver.history.length > 0) return;
  await receiver.send({ label: 'message.received', event: receiver.events.sample('message.received') });
}

/** `12 ms (huge body)`. */
function slowestOf(exchanges: readonly Exchange[]): string {
  const slowest = exchanges.reduce((a, b) => (b.outcome.durationMs > a.outcome.durationMs ? b : a));
  return `${slowest.outcome.durationMs} ms (${slowest.label})`;
}
