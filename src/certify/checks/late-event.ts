import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';

const HOUR_MS = 3_600_000;

export const lateEvent: Check = {
  id: 'late-event',
  group: 'unusual but legal',
  title: 'Takes in an event that is 23 hours old',
  level: 'must',
  why: 'Events are sent again for 24 hours with the same bytes, creation time included. A receiver that refuses old events refuses all it missed during its own outage.',
  sends: 'message.received whose created_at lies 23 hours back, as attempt 26, rightly signed.',
  expects: 'A 2xx.',
  judged: 'Any 2xx passes.',
  async play(bench) {
    const event = bench.events.received('text', { text: 'Is anybody there?' }, 23 * HOUR_MS);
    return judgeAccepted(await sendEach(bench, [{ label: '23 hours old', event, attempt: 26 }]));
  },
};
