import { eventTypes } from '../../domain/event.js';
import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';

export const keepsAnswering: Check = {
  id: 'keeps-answering',
  group: 'damage',
  title: 'Is as good as new after all that',
  level: 'must',
  why: 'Damage may show later: a pool that was not given back, a lock that was not released, a process that restarts for ever.',
  sends: 'One event of each type, rightly signed, after everything else.',
  expects: 'A 2xx, each time.',
  judged: 'Any 2xx passes.',
  async play(bench) {
    const shipments = eventTypes.map((type) => ({ label: type, event: bench.events.sample(type) }));
    return judgeAccepted(await sendEach(bench, shipments));
  },
};
