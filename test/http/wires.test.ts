/** What clients, browsers and settings do on the wire. */
import { Agent, request } from 'node:http';
import { expect, it as plainIt } from 'vitest';
import { resolveConfig } from '../../src/config/index.js';
import type { Control } from '../support/client.js';
import { rawRequest } from '../support/raw-http.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen, stage, trySend } from '../support/scenes.js';

const { sandbox, it } = useSandbox({ clock: frozen });
const to = '+12025550110';

it('a connection is kept for 75 s, so that a pause of a test does not break it', async () => {
  const agent = new Agent({ keepAlive: true });
  const headers = await new Promise<NodeJS.Dict<string | string[]>>((resolve, reject) => {
    const call = request(`${sandbox.url}/livez`, { agent }, (response) => {
      response.resume();
      resolve(response.headers);
    });
    call.on('error', reject).end();
  });
  agent.destroy();
  expect(headers['keep-alive']).toBe('timeout=75');
});

it('ids are found in any case', async ({ world }) => {
  const id = await world.template('order_shipped');
  expect(await world.get(`/v1/templates/${id.toUpperCase()}`)).toMatchObject({ id });
  const message = await world.text(to);
  expect(await world.get(`/v1/messages/${message.toUpperCase()}`)).toMatchObject({ message_id: message });
  expect(await world.get(`/_sandbox/messages/${message.toUpperCase()}`)).toMatchObject({ message_id: message });
});

it('the Date of each response is the time of the account', async ({ world }) => {
  await world.advance('26h');
  for (const path of ['/v1/templates', '/_sandbox/clock', '/v1/templates/none']) {
    const { headers } = await world.call('GET', path);
    expect(headers.get('date')).toBe('Mon, 02 Mar 2026 11:00:00 GMT');
  }
});

it('a template variable of a form that the channel refuses fails with 132012', async () => {
  const world = await stage(sandbox);
  for (const variable of ['two\nlines', 'a\ttab', 'five     spaces', 'a\rreturn']) {
    const template = { name: 'order_shipped', language: 'en', variables: [variable] };
    const { body } = await world.call<{ message_id: string }>('POST', '/v1/messages', {
      to,
      type: 'template',
      template,
    });
    expect(await world.get(`/v1/messages/${body.message_id}`)).toMatchObject({
      status: 'failed',
      error: { code: 'template_parameter_format', channel_code: 132012 },
    });
  }
  const { body } = await trySend<{ message_id: string }>(world, to);
  expect(await world.get(`/v1/messages/${body.message_id}`)).toMatchObject({ status: 'sent' });
});

it.for([
  ['a form of another site without Origin', [['Sec-Fetch-Site', 'cross-site']]],
  ['an origin with user info', [['Origin', 'http://someone@127.0.0.1:PORT']]],
] as const)('%s is refused', async ([, headers], { world }) => {
  const { host, port } = new URL(sandbox.url);
  const all = headers.map(([name, value]) => [name, value.replace('PORT', port)] as const);
  const answer = await rawRequest(sandbox.url, 'POST', '/_sandbox/reset', [
    ['Host', host],
    ['Authorization', `Bearer ${world.key}`],
    ...all,
  ]);
  expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('forbidden')]);
});

it('a key in the query is hidden in the journal', async ({ world }) => {
  await world.call('GET', '/v1/templates?key=hunter2&x-api-key=hunter3&page=1');
  const [entry] = await world.items<Control['JournalRequest']>('/_sandbox/requests');
  expect(JSON.stringify(entry)).not.toContain('hunter');
});

plainIt('a setting that is quoted, as --env-file leaves it, is refused by name', () => {
  expect(() => resolveConfig({ env: { SANDBOX_CONTROL_TOKEN: '"secret"' } })).toThrow(
    'SANDBOX_CONTROL_TOKEN: its quotes are part of it',
  );
  expect(() => resolveConfig({ env: { SANDBOX_PORT: "'4242'" } })).toThrow('Write SANDBOX_PORT=4242.');
});

plainIt('a random seed is another one each time', () => {
  const seeds = [1, 2].map(() => resolveConfig({ flags: { 'random-seed': 'random' } }).randomSeed);
  expect(new Set([...seeds, 'random']).size).toBe(3);
});
