import { bodyToSend } from '../../webhooks/delivery/faults/body.js';
import type { Check } from '../check.js';
import { judgeAccepted, sendEach } from '../judging.js';

export const reformattedBody: Check = {
  id: 'reformatted-body',
  group: 'unusual but legal',
  title: 'Signs the raw bytes: unusual spacing',
  level: 'must',
  why: 'A receiver that parses the body and signs what it writes again agrees with the service only as long as both write JSON alike. The next release of either ends that.',
  sends:
    'message.received and message.status with line breaks, tabs and escaped slashes (\\/), signed over those bytes.',
  expects: 'A 2xx, each time: interface document §5 has the signature computed over the raw body.',
  judged: 'Any 2xx passes. A refusal means that something else than the raw body was signed.',
  async play(bench) {
    const photo = bench.events.received('image', { media_url: 'https://media.example.com/a/b.jpg' });
    const status = bench.events.status('delivered');
    return judgeAccepted(
      await sendEach(bench, [
        { label: 'message.received', event: photo, body: bodyToSend('reformatted', photo.body) },
        { label: 'message.status', event: status, body: bodyToSend('reformatted', status.body) },
      ]),
    );
  },
};
