import { bodyToSend } from '../../webhooks/delivery/faults/body.js';
import type { Check } from '../check.js';
import { judgeSurvived } from '../judging.js';

export const truncatedBody: Check = {
  id: 'truncated-body',
  group: 'damage',
  title: 'Lives through a body that breaks off',
  level: 'must',
  why: 'A right signature vouches for the sender, not for the JSON. An error that nobody catches here ends the process, and with it every request under way.',
  sends: 'The first half of message.received, rightly signed over these bytes; then a whole one.',
  expects: 'An answer of any kind (400 is best), and a 2xx for the event that follows.',
  judged: 'Fails without a complete answer, or when the event that follows gets no 2xx.',
  play(bench) {
    const event = bench.events.sample('message.received');
    return judgeSurvived(bench, { label: 'half a body', event, body: bodyToSend('truncate', event.body) });
  },
};
