import { pause } from '../time/system-clock.js';
import { checksIn, evaluateAccepted, failed, failureOf, type Finding, passed, skipped, statusWords } from './run.js';
import type { Receiver, Service } from './receiver.js';

const LOOK_EVERY_MS = 100;

const needsService = skipped('needs the sandbox that your application calls; leave out --secret');

export const serviceChecks = checksIn('unusual but legal', 'A 2xx, each time.', [
  {
    id: 'own-failure',
    title: 'Handles an event on the second attempt if the first failed',
    why: 'A receiver that notes the id of an event, then fails at its work and responds with 500, takes the next attempt for a duplicate. It responds with 2xx, and the event is lost.',
    sends:
      'A message.received while each call of the application gets a 500. If the response is an error, the same event again, with an API that works.',
    expects: 'A 2xx for the second attempt, and the call that had failed.',
    async play(receiver) {
      const { service, events } = receiver.parts;
      if (!service) return needsService;
      const event = events.sample('message.received');
      const first = await during(service.fail(), () => receiver.send({ label: 'while its calls fail', event }));
      if (first.outcome.status === null) return failed(failureOf(first));
      if (first.outcome.ok) return skipped(`${statusWords(first)} while its calls failed: it does the work on its own`);
      const before = await service.calls();
      const second = await receiver.send({ label: 'the same event again', event, attempt: 2 });
      if (!second.outcome.ok) return failed(failureOf(second));
      const found = `${statusWords(first)} while its calls failed, then ${statusWords(second)}`;
      return (await callsAfter(receiver, before))
        ? passed(`${found} and a call`)
        : failed(`${found} without a call: the event is lost`);
    },
  },
]);

async function during<T>(change: ReturnType<Service['fail']>, work: () => Promise<T>): Promise<T> {
  const recover = await change;
  try {
    return await work();
  } finally {
    await recover();
  }
}

/** True if a call of the application succeeds within a fifth of the time limit. */
async function callsAfter({ parts: { service, host, timeoutMs } }: Receiver, before: number): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    if (((await service?.calls()) ?? 0) > before) return true;
    if (waitedMs >= timeoutMs / 5) return false;
    await pause(LOOK_EVERY_MS, host);
  }
}

/** Null if the run does not control the service. */
export async function whileCallsAreSlow(receiver: Receiver): Promise<Finding | null> {
  const { service, events, timeoutMs } = receiver.parts;
  if (!service) return null;
  const mostMs = timeoutMs / 5;
  const event = events.sample('message.received');
  const exchange = await during(service.delay(1.25 * mostMs), () =>
    receiver.send({ label: 'while its calls are slow', event }),
  );
  const { ok, durationMs } = exchange.outcome;
  if (!ok) return evaluateAccepted([exchange]);
  const found = `${durationMs} ms while each of its calls took ${1.25 * mostMs} ms`;
  return durationMs > mostMs ? failed(`${found}: it waits for its work`) : passed(found);
}
