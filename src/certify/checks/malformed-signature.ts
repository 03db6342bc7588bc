import { sign } from '../../webhooks/sender/signature.js';
import type { Check } from '../check.js';
import { forgeries, malformed } from '../forgery.js';
import { judgeRefused, sendEach } from '../judging.js';

export const malformedSignature: Check = {
  id: 'malformed-signature',
  group: 'forgeries',
  title: 'Refuses a signature that is none',
  level: 'must',
  why: 'Comparisons in constant time throw when the lengths differ, and hex decoders stop at the first wrong letter. Anyone can then fill the error log, or worse, get through.',
  sends:
    'message.received with a signature without scheme and with letters that are no hex, one of 64 such letters, one under sha1=, and one of plain words.',
  expects: 'A 4xx, each time.',
  judged: '400 to 499 passes. A 2xx took the forgery in; a 5xx means that the check itself broke.',
  async play(bench) {
    const forged = forgeries(bench, {
      'no scheme, no hex': malformed,
      'no hex': () => `sha256=${'z'.repeat(64)}`,
      'another scheme': (secret, body) => sign(`${secret}-not-yours`, body).replace('sha256=', 'sha1=').slice(0, 45),
      words: () => 'please let me in',
    });
    return judgeRefused(await sendEach(bench, forged));
  },
};
