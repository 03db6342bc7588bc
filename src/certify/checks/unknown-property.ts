import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';

export const unknownProperty: Check = {
  id: 'unknown-property',
  group: 'unusual but legal',
  title: 'Ignores properties it does not know',
  level: 'advice',
  why: 'A new property is the mildest change a service can make, and comes without notice. A schema that forbids it turns that day into an outage.',
  sends: 'message.received with one more property beside data and one more inside it, rightly signed.',
  expects: 'A 2xx.',
  judged: 'Any 2xx passes.',
  async play(bench) {
    const event = bench.events.sample('message.received');
    const known = JSON.parse(event.body) as { data: object };
    const body = JSON.stringify({ ...known, new_here: true, data: { ...known.data, new_there: { deep: [1, null] } } });
    return judgeAccepted(await sendEach(bench, [{ label: 'with more properties', event, body }]));
  },
};
