import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';

export const disorder: Check = {
  id: 'disorder',
  group: 'unusual but legal',
  title: 'Takes in events out of order',
  level: 'must',
  why: 'A delivery that failed comes back minutes later, when what followed is long there; and a status may be skipped altogether. "read" can be the first thing heard of a message.',
  sends: 'Three message.status events of one message that was never heard of: read, then delivered, then sent.',
  expects: 'A 2xx, each time.',
  judged: 'Any 2xx passes; what the receiver makes of them is its own affair.',
  async play(bench) {
    const message = bench.events.message();
    const shipments = (['read', 'delivered', 'sent'] as const).map((status) => ({
      label: status,
      event: bench.events.status(status, message),
    }));
    return judgeAccepted(await sendEach(bench, shipments));
  },
};
