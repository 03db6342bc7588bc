import { bodyToSend } from '../../webhooks/delivery/faults/body.js';
import type { Bench } from '../receiver-client.js';
import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';
import type { MadeEvent } from '../events.js';

export const unknownType: Check = {
  id: 'unknown-type',
  group: 'unusual but legal',
  title: 'Takes in a type of event it does not know',
  level: 'must',
  why: 'Services grow new events. A receiver that fails on them is paused after 24 hours, and loses those it does know.',
  sends: 'A signed event of type message.status.not_known_yet, then one of type message.received.not_known_yet.',
  expects: 'A 2xx, each time: what is not understood is ignored.',
  judged: 'Any 2xx passes.',
  async play(bench) {
    const shipments = [ofUnknownType(bench, 'message.status'), ofUnknownType(bench, 'message.received')];
    return judgeAccepted(await sendEach(bench, shipments));
  },
};

function ofUnknownType(bench: Bench, type: 'message.status' | 'message.received'): { label: string; event: MadeEvent } {
  const known = bench.events.sample(type);
  const body = bodyToSend('unknown_type', known.body);
  const label = (JSON.parse(body) as { type: string }).type;
  return { label, event: { ...known, body, type: label } };
}
