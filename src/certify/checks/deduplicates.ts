import type { Bench } from '../receiver-client.js';
import type { Check, Finding } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';
import { ObserveError, type Observer } from '../observe.js';

const LOOK_EVERY_MS = 100;
/** What a queue behind the receiver may still bring, once both events are counted. */
const SETTLE_MS = 250;

export const deduplicates: Check = {
  id: 'deduplicates',
  group: 'unusual but legal',
  title: 'Counts an event that comes twice once',
  level: 'must',
  why: 'Every event can come more than once. Without a look at its id the customer gets two answers, and the order is shipped twice.',
  sends: 'A message.received twice, then another one once; before and after, a GET to the URL of --observe.',
  expects: 'The number of received events grows by two.',
  judged:
    'The counter has as long as an answer may take to grow by two, and must stay there. Skipped without --observe: from outside this cannot be seen.',
  async play(bench) {
    const { observe } = bench;
    if (observe === null) return { result: 'skipped', found: 'not observable; name a counter with --observe URL' };
    try {
      return await compareCounts(bench, observe);
    } catch (error) {
      if (error instanceof ObserveError) return { result: 'failed', found: error.message };
      throw error;
    }
  },
};

async function compareCounts(bench: Bench, observe: Observer): Promise<Finding> {
  const twice = bench.events.sample('message.received');
  const once = bench.events.sample('message.received');
  const before = await observe();
  const taken = judgeAccepted(
    await sendEach(bench, [
      { label: 'attempt 1', event: twice },
      { label: 'attempt 2', event: twice, attempt: 2 },
      { label: 'another event', event: once },
    ]),
  );
  if (taken.result === 'failed') return taken;
  let after = await observe();
  for (let waitedMs = 0; after < before + 2 && waitedMs < bench.timeoutMs; waitedMs += LOOK_EVERY_MS) {
    await bench.pause(LOOK_EVERY_MS);
    after = await observe();
  }
  await bench.pause(SETTLE_MS);
  after = await observe();
  const found = `the counter went from ${before} to ${after} after two events, one of them sent twice`;
  return { result: after === before + 2 ? 'passed' : 'failed', found };
}
