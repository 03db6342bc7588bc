import { expect, it } from 'vitest';
import { useSandbox } from '../support/sandbox.js';
import { at, frozen, minutes } from '../support/scenes.js';
import { spoil } from '../support/spoiled.js';

const { sandbox } = useSandbox({ clock: frozen });

it.each([
  ['refused', null, 'connection_refused'],
  ['timeout', null, 'timeout'],
  ['reset', null, 'connection_reset'],
  [500, 500, 'non_2xx'],
  [302, 302, 'non_2xx'],
] as const)(
  '%s: the receiver is not contacted, the retry comes at its time and is real',
  async (simulate, status, code) => {
    const { requests, deliveries } = await spoil(sandbox, { receiver: { simulate } });
    const [delivery] = deliveries;
    expect(delivery?.attempts).toMatchObject([
      { number: 1, at: at(0), status, duration_ms: 0, error: code },
      { number: 2, at: at(minutes(1)), status: 500 },
    ]);
    expect(delivery?.attempts[0]?.hint).toContain('simulates');
    expect(delivery?.attempts[0]?.request.headers).toHaveProperty('X-Service-Signature');
    expect(requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['2']);
  },
);

it('a 2xx delivers without anybody hearing of it', async () => {
  const { requests, deliveries } = await spoil(sandbox, { receiver: { simulate: 204 } });
  expect(requests).toEqual([]);
  expect(deliveries).toMatchObject([{ state: 'delivered', attempts: [{ status: 204 }] }]);
});
