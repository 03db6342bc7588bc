import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';

export const duplicates: Check = {
  id: 'duplicates',
  group: 'unusual but legal',
  title: 'Takes in the same event twice',
  level: 'must',
  why: 'An answer that got lost, or came late, brings the same event again. If the repetition is an error to the receiver, it is repeated until the endpoint is paused.',
  sends:
    'The same bytes twice, one after the other, as attempts 1 and 2 of one delivery: message.received, then otp.verified.',
  expects: 'A 2xx, each time.',
  judged: 'Any 2xx passes; a 409 for what is known already fails.',
  async play(bench) {
    const events = [bench.events.sample('message.received'), bench.events.sample('otp.verified')];
    const shipments = events.flatMap((event) =>
      [1, 2].map((attempt) => ({ label: `${event.type}, attempt ${attempt}`, event, attempt })),
    );
    return judgeAccepted(await sendEach(bench, shipments));
  },
};
