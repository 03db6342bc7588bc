/** What is said of the calls and deliveries of a command that failed. */
import { expect } from 'vitest';
import { postMortem, traceOf } from '../../src/reports/post-mortem.js';
import { newWorld } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const { sandbox, it } = useSandbox({ clock: frozen });
const traced = (key: string) => traceOf(key, sandbox.accounts.of(key).store);

it('names the account of each call where there are several, in the order of the calls', async ({ world }) => {
  const other = newWorld(sandbox);
  await world.call('GET', '/v1/messages/none');
  await other.call('GET', '/v1/messages/none');
  const [head, ...lines] = postMortem([traced(other.key), traced(world.key)], '');
  expect(head).toBe('The last 2 calls of 2:');
  expect(lines.map((line) => line.split('  ')[1])).toEqual([world.key, other.key]);
  expect(postMortem([traced(other.key)], '')[1]).toMatch(/^ {2}404 {2}GET/);
});

it('calls no delivery failed that was meant to be rejected', async ({ world }) => {
  await world.put('/_sandbox/sink/app', { respond: [{ status: 401, times: 1 }, { status: 500 }] });
  await world.post('/v1/webhooks', { url: 'https://sink.sandbox/app', events: ['message.received'] });
  await world.post('/_sandbox/events', { type: 'message.received', webhook: { signature: 'wrong_secret' } });
  await world.post('/_sandbox/events', { type: 'message.received' });
  const lines = postMortem([traced(world.key)], '');
  expect(lines.slice(-2)).toEqual(['1 failed delivery:', expect.stringContaining(': 500 (1 attempt)')]);
});
