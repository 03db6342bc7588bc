import type { Check } from '../check.js';
import { forgeries, otherBody as signedOther } from '../forgery.js';
import { judgeRefused, sendEach } from '../judging.js';

export const otherBody: Check = {
  id: 'other-body',
  group: 'forgeries',
  title: 'Refuses a signature that is right for another body',
  level: 'must',
  why: 'A signature seen once, in a log or at a proxy, would otherwise vouch for anything.',
  sends: 'message.received with the signature of an event that differs from it in one letter.',
  expects: 'A 4xx.',
  judged: '400 to 499 passes. A 2xx took the forgery in; a 5xx means that the check itself broke.',
  async play(bench) {
    return judgeRefused(await sendEach(bench, forgeries(bench, { 'signature of another body': signedOther })));
  },
};
