import { bodyToSend } from '../../webhooks/delivery/faults/body.js';
import type { Check } from '../check.js';
import { judgeSurvived } from '../judging.js';

export const hugeBody: Check = {
  id: 'huge-body',
  group: 'damage',
  title: 'Lives through a body of two megabytes',
  level: 'must',
  why: 'A limit is right, but it has to say so: who hangs up without an answer is asked again, and who has no limit and no room goes down.',
  sends: 'message.received with two more megabytes in a property, rightly signed; then a usual one.',
  expects: 'An answer of any kind (2xx, or 413), and a 2xx for the event that follows.',
  judged: 'Fails without a complete answer, or when the event that follows gets no 2xx.',
  play(bench) {
    const event = bench.events.sample('message.received');
    return judgeSurvived(bench, { label: 'two megabytes', event, body: bodyToSend('huge', event.body) });
  },
};
