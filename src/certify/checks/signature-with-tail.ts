import { sign } from '../../webhooks/sender/signature.js';
import type { Check } from '../check.js';
import { forgeries } from '../forgery.js';
import { judgeRefused, sendEach } from '../judging.js';

export const signatureWithTail: Check = {
  id: 'signature-with-tail',
  group: 'forgeries',
  title: 'Refuses the right signature with something behind it',
  level: 'advice',
  why: 'Nobody can forge that way, but a comparison that looks at the beginning alone is a slip that the next change may make a hole of.',
  sends: 'message.received with its own signature and two more hex digits.',
  expects: 'A 4xx.',
  judged: '400 to 499 passes.',
  async play(bench) {
    const forged = forgeries(bench, { 'two digits more': (secret, body) => `${sign(secret, body)}00` });
    return judgeRefused(await sendEach(bench, forged));
  },
};
