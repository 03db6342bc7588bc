import { eventTypes } from '../../domain/event.js';
import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';

export const signatureHeaderOnly: Check = {
  id: 'signature-header-only',
  group: 'unusual but legal',
  title: 'Needs no header but the signature',
  level: 'advice',
  why: 'Interface document §5 promises X-Service-Signature and no other header; X-Service-Event and its kin are an extra of this sandbox. Type and id stand in the body.',
  sends: 'One event of each type with Content-Type and X-Service-Signature alone.',
  expects: 'A 2xx, each time.',
  judged: 'Any 2xx passes.',
  async play(bench) {
    const shipments = eventTypes.map((type) => ({
      label: type,
      event: bench.events.sample(type),
      extraHeaders: false,
    }));
    return judgeAccepted(await sendEach(bench, shipments));
  },
};
