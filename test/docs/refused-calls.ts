/** The messages of rejected calls in docs/troubleshooting.md: status, code, message. */
import { startReceiver } from '../support/receivers.js';
import { rawRequest } from '../support/raw-http.js';
import { newWorld, type Answer, type Refusal, type World } from '../support/client.js';
import { startTestSandbox } from '../support/sandbox.js';

type Frozen = Parameters<typeof startTestSandbox>[0];
const frozen = { clock: { mode: 'frozen', scale: 1, startMs: null } } as const satisfies Frozen;

const said = ({ status, body }: Pick<Answer<Refusal>, 'status' | 'body'>): string =>
  `${status} ${body.error.code}: ${body.error.message}`;

async function inWorld(work: (world: World) => Promise<string>, config: Frozen = frozen): Promise<string> {
  const sandbox = await startTestSandbox(config);
  try {
    return await work(newWorld(sandbox));
  } finally {
    await sandbox.close();
  }
}

const text = { to: '+12025550123', type: 'text', text: 'Hello' };
const template = (variables: readonly string[]): object => ({
  to: '+12025550123',
  type: 'template',
  template: { name: 'order_shipped', language: 'en', variables },
});
const form = { 'content-type': 'application/x-www-form-urlencoded' };

export const refusedCalls: Readonly<Record<string, () => Promise<string>>> = {
  'no-key': () =>
    inWorld(async ({ url }) => {
      const response = await fetch(`${url}/v1/messages`, { method: 'POST' });
      return said({ status: response.status, body: (await response.json()) as Refusal });
    }),
  'control-token': () =>
    inWorld(async (world) => said(await world.call('GET', '/_sandbox/clock')), {
      ...frozen,
      controlToken: 'open-sesame',
    }),
  'foreign-host': () =>
    inWorld(async ({ url }) => {
      const { status, body } = await rawRequest(url, 'GET', '/_sandbox/clock', [['Host', 'sandbox.example.com']]);
      return said({ status, body: JSON.parse(body) as Refusal });
    }),
  'not-json': () => inWorld(async (world) => said(await world.call('POST', '/v1/messages', 'to=1', form))),
  'window-closed': () => inWorld(async (world) => said(await world.call('POST', '/v1/messages', text))),
  'not-approved': () =>
    inWorld(async (world) => {
      await world.template('order_shipped', {}, false);
      return said(await world.call('POST', '/v1/messages', template(['A-17'])));
    }),
  variables: () =>
    inWorld(async (world) => {
      await world.template('order_shipped');
      return said(await world.call('POST', '/v1/messages', template([])));
    }),
  'clock-advancing': () => inWorld(advanceTwice),
};

/** The first advance waits for a receiver, so the second is rejected. */
async function advanceTwice(world: World): Promise<string> {
  const held: (() => void)[] = [];
  const receiver = await startReceiver((response) => held.push(() => response.end()));
  try {
    await world.text();
    await world.register(receiver.url());
    const asked = receiver.nextRequest();
    const first = world.advance('300ms');
    await asked;
    const second = await world.call('POST', '/_sandbox/clock/advance', { by: '1s' });
    for (const release of held) release();
    await first;
    return said(second);
  } finally {
    await receiver.close();
  }
}
