/** The messages of rejected calls in docs/troubleshooting.md: status, code, message. */
import { rawRequest } from '../support/raw-http.js';
import type { Answer, Refusal, World } from '../support/client.js';
import { play } from './api-errors.js';
import { whileHeld } from './control-errors.js';

type Said = Pick<Answer<Refusal>, 'status' | 'body'>;

const refusal =
  (work: (world: World) => Promise<Said>, config: Parameters<typeof play>[1] = {}) =>
  async (): Promise<string> => {
    const { status, body } = await play(work, config);
    return `${status} ${body.error.code}: ${body.error.message}`;
  };

const text = { to: '+12025550123', type: 'text', text: 'Hello' };
const template = (variables: readonly string[]): object => ({
  to: '+12025550123',
  type: 'template',
  template: { name: 'order_shipped', language: 'en', variables },
});
const form = { 'content-type': 'application/x-www-form-urlencoded' };

export const refusedCalls: Readonly<Record<string, () => Promise<string>>> = {
  'no-key': refusal(async ({ url }) => {
    const response = await fetch(`${url}/v1/messages`, { method: 'POST' });
    return { status: response.status, body: (await response.json()) as Refusal };
  }),
  'control-token': refusal((world) => world.call('GET', '/_sandbox/clock'), { controlToken: 'open-sesame' }),
  'foreign-host': refusal(async ({ url }) => {
    const { status, body } = await rawRequest(url, 'GET', '/_sandbox/clock', [['Host', 'sandbox.example.com']]);
    return { status, body: JSON.parse(body) as Refusal };
  }),
  'not-json': refusal((world) => world.call('POST', '/v1/messages', 'to=1', form)),
  'window-closed': refusal((world) => world.call('POST', '/v1/messages', text)),
  'not-approved': refusal(async (world) => {
    await world.template('order_shipped', {}, false);
    return world.call('POST', '/v1/messages', template(['A-17']));
  }),
  variables: refusal(async (world) => {
    await world.template('order_shipped');
    return world.call('POST', '/v1/messages', template([]));
  }),
  // The first advance waits for a receiver, so the second is rejected.
  'clock-advancing': refusal((world) => {
    const advance = () => world.call('POST', '/_sandbox/clock/advance', { by: '1s' });
    return whileHeld(world, advance, async () => {
      await world.text();
      await advance();
    });
  }),
};
