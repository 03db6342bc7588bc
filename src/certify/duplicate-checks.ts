/** Checks that the same event, sent more than once, is accepted each time and counted once. */
import { type Check, evaluateAccepted, type Finding, sendEach, unusual } from './check.js';
import { ObserveError, type Observer, type ReceiverClient } from './receiver-client.js';

/** Interval of reading the counter of `--observe` while it catches up. */
const LOOK_EVERY_MS = 100;
/** Time for a queue behind the receiver to count an event twice, once both events are counted. */
const SETTLE_MS = 250;

const duplicates = unusual(
  {
    id: 'duplicates',
    title: 'Accepts the same event twice',
    why: 'After a lost or late response, the same event is sent again. If the receiver responds to that with an error, the event is repeated until the endpoint is paused.',
    sends:
      'The same bytes twice, one after the other, as attempts 1 and 2 of one delivery: message.received, then otp.verified.',
    criterion: 'Any 2xx passes. A 409 for a known event fails.',
  },
  (events) =>
    [events.sample('message.received'), events.sample('otp.verified')].flatMap((event) =>
      [1, 2].map((attempt) => ({ label: `${event.type}, attempt ${attempt}`, event, attempt })),
    ),
);

const concurrentDuplicates: Check = {
  ...unusual(
    {
      id: 'concurrent-duplicates',
      title: 'Accepts the same event twice at the same time',
      level: 'recommended',
      why: 'A repetition can overtake the work on the first attempt. A receiver that checks first and inserts afterwards then fails on its own unique index.',
      sends: 'The same message.received twice, at the same time.',
      expects: 'A 2xx for both.',
    },
    () => [],
  ),
  async play(receiver) {
    const event = receiver.events.sample('message.received');
    const shipments = [1, 2].map((attempt) => ({ label: `attempt ${attempt}`, event, attempt }));
    return evaluateAccepted(await Promise.all(shipments.map((shipment) => receiver.send(shipment))));
  },
};

const deduplicates: Check = {
  ...unusual(
    {
      id: 'deduplicates',
      title: 'Counts a repeated event once',
      why: 'Every event can arrive more than once. Without a check of its id, the customer gets two replies, and the order is shipped twice.',
      sends: 'A message.received twice, then another one once. Before and after, a GET to the URL of --observe.',
      expects: 'The number of received events grows by two.',
      criterion:
        'The counter may take as long as a response to grow by two, and must then stay there. Skipped without --observe.',
    },
    () => [],
  ),
  async play(receiver) {
    const { observe } = receiver;
    if (observe === null) return { result: 'skipped', found: 'not observable; name a counter with --observe URL' };
    try {
      return await compareCounts(receiver, observe);
    } catch (error) {
      if (error instanceof ObserveError) return { result: 'failed', found: error.message };
      throw error;
    }
  },
};

async function compareCounts(receiver: ReceiverClient, observe: Observer): Promise<Finding> {
  const twice = receiver.events.sample('message.received');
  const once = receiver.events.sample('message.received');
  const before = await observe();
  const accepted = evaluateAccepted(
    await sendEach(receiver, [
      { label: 'attempt 1', event: twice },
      { label: 'attempt 2', event: twice, attempt: 2 },
      { label: 'another event', event: once },
    ]),
  );
  if (accepted.result === 'failed') return accepted;
  let after = await observe();
  for (let waitedMs = 0; after < before + 2 && waitedMs < receiver.timeoutMs; waitedMs += LOOK_EVERY_MS) {
    await receiver.pause(LOOK_EVERY_MS);
    after = await observe();
  }
  await receiver.pause(SETTLE_MS);
  after = await observe();
  const found = `the counter went from ${before} to ${after} after two events, one of them sent twice`;
  return { result: after === before + 2 ? 'passed' : 'failed', found };
}

export const duplicateChecks: readonly Check[] = [duplicates, concurrentDuplicates, deduplicates];
