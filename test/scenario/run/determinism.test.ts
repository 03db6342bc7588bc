/** The same scenario, seed and calls: the same journal, byte for byte except real durations. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox.js';
import { World } from '../../support/client.js';
import { startTestSandbox } from '../../support/sandbox.js';
import { frozen, play, trySend, usual } from '../../support/scenes.js';

let sandboxes: Sandbox[];
beforeAll(async () => {
  sandboxes = await Promise.all([startTestSandbox({ clock: frozen }), startTestSandbox({ clock: frozen })]);
});
afterAll(() => Promise.all(sandboxes.map((sandbox) => sandbox.close())));

const recipients = Array.from({ length: 40 }, (_, i) => `+1${201 + i}5550110`);

/** Everything that chance has a hand in: shares, ranges, made-up texts, shuffled deliveries. */
async function told(sandbox: Sandbox | undefined, seed: number, key = 'worker'): Promise<string> {
  const world = new World(sandbox?.url ?? '', key);
  await play(world, {
    seed,
    given: usual,
    rules: [
      { id: 'refused', when: 'message.send', pick: { chance: '20%' }, then: { refuse: { code: 'undeliverable' } } },
      { id: 'fails', when: 'message.send', pick: { chance: '30%' }, then: { lifecycle: [{ failed: '1s..9s' }] } },
      { id: 'slow', when: 'message.send', then: { lifecycle: [{ sent: '0s..2s' }, { read: '5s..2m' }] } },
      { id: 'answers', when: 'message.send', pick: { chance: '25%' }, then: { inbound: { after: '10s..1h' } } },
      { id: 'late', when: 'webhook.deliver', pick: { chance: '40%' }, then: { webhook: { delay: '1s..5m' } } },
      { id: 'limit', when: 'otp.send', then: { limit: '2/h' } },
      {
        id: 'down',
        when: 'webhook.deliver',
        pick: { chance: '10%' },
        then: { webhook: { receiver: { simulate: 500 } } },
      },
    ],
    timeline: [
      { at: '+20m', inbound: { phone: '+12015550110' } },
      { at: '+30m', emit: { type: 'otp.verified' } },
    ],
  });
  await trySend(world, recipients);
  for (const to of recipients.slice(0, 5)) await trySend(world, to);
  for (const to of recipients.slice(0, 3)) await world.call('POST', '/v1/otp/send', { to });
  await world.advance('2h');
  await world.call('POST', '/v1/messages', { to: '+12015550110', type: 'text', text: 'Hi' });
  await world.call('GET', '/v1/nowhere');
  await world.advance('1d');
  const lists = ['requests', 'events', 'deliveries', 'messages', 'rules', 'sink/app/received', 'customers', 'otps'];
  const parts: unknown[] = [];
  for (const list of lists) parts.push(await world.get(`/_sandbox/${list}?limit=1000`));
  parts.push(await world.get('/_sandbox/scenario'), await world.get('/_sandbox/clock'));
  return JSON.stringify(parts, null, 1)
    .replace(/"duration_ms": [\d.]+/g, '"duration_ms": 0')
    .replace(/"host": "127\.0\.0\.1:\d+"/g, '"host": "HOST"');
}

it('the same journal, events, deliveries and counts in another process of time', async () => {
  const [one, two] = sandboxes;
  const first = await told(one, 7);
  expect(first).toContain('"id": "fails"');
  expect(await told(two, 7)).toBe(first);
});
