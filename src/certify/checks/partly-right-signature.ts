import type { Check } from '../check.js';
import { forgeries, rightUpTo } from '../forgery.js';
import { judgeRefused, sendEach } from '../judging.js';

export const partlyRightSignature: Check = {
  id: 'partly-right-signature',
  group: 'forgeries',
  title: 'Compares the signature to its last digit',
  level: 'must',
  why: 'Comparing the first few digits is comparing a much shorter signature, which can be guessed.',
  sends: 'message.received with its own signature, of which only the first 16, 32 and 63 of the 64 digits are right.',
  expects: 'A 4xx, each time.',
  judged: '400 to 499 passes. A 2xx took the forgery in; a 5xx means that the check itself broke.',
  async play(bench) {
    const counts = [16, 32, 63].map((count) => [`${count} of 64 digits right`, rightUpTo(count)] as const);
    return judgeRefused(await sendEach(bench, forgeries(bench, Object.fromEntries(counts))));
  },
};
