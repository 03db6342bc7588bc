/** Checks with corrupt bodies, and a check of the response times of the whole run. */
import { eventTypes } from '../domain/words.js';
import { bodyToSend } from '../webhooks/faults.js';
import { accepted, type Check, checksIn, failureOf, statusWords } from './check.js';
import type { Exchange, ReceiverClient } from './receiver-client.js';

/** Passes if the receiver responds to a corrupt body at all, and accepts the next valid event. */
const survived =
  (body: 'truncate' | 'huge', label: string): Check['play'] =>
  async (receiver) => {
    const event = receiver.parts.events.sample('message.received');
    const damaged = await receiver.send({ label, event, body: bodyToSend(body, event.body) });
    if (damaged.outcome.status === null) return { result: 'failed', found: failureOf(damaged) };
    const next = await receiver.send({
      label: 'next good event',
      event: receiver.parts.events.sample('message.received'),
    });
    if (!next.outcome.ok) {
      return { result: 'failed', found: `${statusWords(damaged)}, but then ${failureOf(next)}` };
    }
    return { result: 'passed', found: `${statusWords(damaged)}; the next valid event: ${statusWords(next)}` };
  };

export const damageChecks = checksIn('damage', 'A 2xx, each time.', [
  {
    id: 'truncated-body',
    title: 'Survives a truncated body',
    why: 'A correct signature proves who sent the body, not that it is valid JSON. An uncaught error ends the process, and with it every request in progress.',
    sends: 'The first half of message.received, correctly signed over these bytes; then a complete one.',
    expects: 'Any response (400 is best), and a 2xx for the event that follows.',
    play: survived('truncate', 'half a body'),
  },
  {
    id: 'huge-body',
    title: 'Survives a body of two megabytes',
    why: 'A size limit is correct, but the receiver has to report it. If it closes the connection without a response, the event is sent again; without a limit it can run out of memory.',
    sends: 'message.received with two more megabytes in a property, correctly signed; then an ordinary one.',
    expects: 'Any response (2xx, or 413), and a 2xx for the event that follows.',
    play: survived('huge', 'two megabytes'),
  },
  {
    id: 'keeps-answering',
    title: 'Still accepts events after all other checks',
    why: 'Damage may show later: a connection that was not returned to its pool, a lock that was not released, a process that restarts forever.',
    sends: 'One event of each type, correctly signed, after everything else.',
    play: accepted((events) => eventTypes.map((type) => ({ label: type, event: events.sample(type) }))),
  },
]);

export const timeChecks = checksIn('time', 'A 2xx, in time.', [
  {
    id: 'answers-in-time',
    title: 'Responds within 10 seconds',
    why: 'A later response does not count. The event is sent again although it was processed, and after a day the endpoint is paused.',
    sends: 'No requests: evaluates all requests of this run.',
    expects: 'A complete response within 10 seconds to every request, including forged and corrupt ones.',
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
  },
  {
    id: 'answers-promptly',
    title: 'Responds before it does the work',
    level: 'recommended',
    why: 'A receiver that needs seconds on your machine needs more under load. Store the event, respond, and do the work afterwards.',
    sends: 'No requests: evaluates every accepted event.',
    expects: 'A 2xx within a fifth of the time limit: 2 of 10 seconds.',
    async play(receiver) {
      await sampleIfNone(receiver);
      const accepted = receiver.history.filter(({ outcome }) => outcome.ok);
      if (accepted.length === 0) return { result: 'skipped', found: 'no event was accepted' };
      const slow = accepted.filter(({ outcome }) => outcome.durationMs > receiver.parts.timeoutMs / 5);
      const found = `slowest of ${accepted.length} accepted: ${slowestOf(accepted)}`;
      return { result: slow.length === 0 ? 'passed' : 'failed', found };
    },
  },
]);

/** With `--only`, this check may have no earlier responses to evaluate. */
async function sampleIfNone(receiver: ReceiverClient): Promise<void> {
  if (receiver.history.length > 0) return;
  await receiver.send({ label: 'message.received', event: receiver.parts.events.sample('message.received') });
}

/** `12 ms (huge body)`. */
function slowestOf(exchanges: readonly Exchange[]): string {
  const slowest = exchanges.reduce((a, b) => (b.outcome.durationMs > a.outcome.durationMs ? b : a));
  return `${slowest.outcome.durationMs} ms (${slowest.label})`;
}
