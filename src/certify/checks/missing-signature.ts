import type { Check } from '../check.js';
import { forgeries, missing } from '../forgery.js';
import { judgeRefused, sendEach } from '../judging.js';

export const missingSignature: Check = {
  id: 'missing-signature',
  group: 'forgeries',
  title: 'Refuses an event without a signature',
  level: 'must',
  why: 'The easiest forgery carries no signature at all. A check that runs only when the header is there lets it pass; one that takes the header for granted breaks.',
  sends: 'message.received without X-Service-Signature, then one with an empty X-Service-Signature.',
  expects: 'A 4xx, each time.',
  judged: '400 to 499 passes. A 2xx took the forgery in; a 5xx means that the check itself broke.',
  async play(bench) {
    return judgeRefused(await sendEach(bench, forgeries(bench, { 'no header': missing, 'empty header': () => '' })));
  },
};
