import type { Check } from '../check.js';
import { cutAfter, forgeries } from '../forgery.js';
import { judgeRefused, sendEach } from '../judging.js';

export const signaturePrefix: Check = {
  id: 'signature-prefix',
  group: 'forgeries',
  title: 'Refuses the beginning of the right signature',
  level: 'must',
  why: 'A comparison that is content with the beginning can be guessed one digit at a time, or with no digit at all.',
  sends: 'message.received with its own signature cut off after no, 8, 32 and 63 of the 64 digits.',
  expects: 'A 4xx, each time.',
  judged:
    '400 to 499 passes. A 2xx took the forgery in; a 5xx mostly means that buffers of different lengths were compared.',
  async play(bench) {
    const lengths = [0, 8, 32, 63].map((count) => [`${count} of 64 digits`, cutAfter(count)] as const);
    return judgeRefused(await sendEach(bench, forgeries(bench, Object.fromEntries(lengths))));
  },
};
