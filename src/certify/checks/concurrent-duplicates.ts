import type { Check } from '../check.js';
import { judgeAccepted } from '../judging.js';

export const concurrentDuplicates: Check = {
  id: 'concurrent-duplicates',
  group: 'unusual but legal',
  title: 'Takes in the same event twice at the same moment',
  level: 'advice',
  why: 'A repetition can overtake the work on the first try. A receiver that looks first and inserts afterwards then breaks on its own unique index.',
  sends: 'The same message.received twice, at the same time.',
  expects: 'A 2xx for both.',
  judged: 'Any 2xx passes.',
  async play(bench) {
    const event = bench.events.sample('message.received');
    const shipments = [1, 2].map((attempt) => ({ label: `attempt ${attempt}`, event, attempt }));
    return judgeAccepted(await Promise.all(shipments.map((shipment) => bench.send(shipment))));
  },
};
