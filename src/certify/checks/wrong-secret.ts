import { sign } from '../../webhooks/sender/signature.js';
import type { Check } from '../check.js';
import { forgeries, wrongSecret as otherSecret } from '../forgery.js';
import { judgeRefused, sendEach } from '../judging.js';

export const wrongSecret: Check = {
  id: 'wrong-secret',
  group: 'forgeries',
  title: 'Refuses a signature made with another secret',
  level: 'must',
  why: 'The URL of a receiver is no secret. Whoever finds it could otherwise confirm codes and fake messages of any customer.',
  sends:
    'message.received signed with another secret, then one signed with an empty secret (what an unset variable leads to).',
  expects: 'A 4xx, each time.',
  judged: '400 to 499 passes. A 2xx took the forgery in; a 5xx means that the check itself broke.',
  async play(bench) {
    const forged = forgeries(bench, {
      'another secret': otherSecret,
      'empty secret': (_secret, body) => sign('', body),
    });
    return judgeRefused(await sendEach(bench, forged));
  },
};
