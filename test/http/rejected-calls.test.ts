/** Calls that were rejected before they had an account enter no journal, and can be listed all the same. */
import { describe, expect, it } from 'vitest';
import type { Control } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';

const token = 'let-me-in';

const { sandbox } = useSandbox({ controlToken: token, apiKeys: ['accepted'] });

const refused = async (query = ''): Promise<Control['RefusedList']> => {
  const response = await fetch(`${sandbox.url}/_sandbox/refused${query}`, { headers: { 'x-sandbox-token': token } });
  expect(response.status).toBe(200);
  return (await response.json()) as Control['RefusedList'];
};

const send = async (headers: Record<string, string>, path = '/v1/templates', method = 'GET') => {
  const response = await fetch(sandbox.url + path, { method, headers });
  return { id: response.headers.get('x-sandbox-request'), status: response.status, body: await response.text() };
};

describe('a refused call', () => {
  it.each([
    ['without a key', {}, 401, 'unauthorized'],
    ['with a key that is not accepted', { authorization: 'Bearer someone-elses-key' }, 401, 'unauthorized'],
    [
      'of a page of another origin',
      { authorization: 'Bearer accepted', origin: 'https://evil.test' },
      403,
      'forbidden',
    ],
  ] as const)('%s is listed under the id of its response', async (_how, headers, status, error) => {
    const response = await send(headers, '/v1/messages?control_token=let-me-in&to=1', 'POST');
    expect(response.status).toBe(status);
    const { items } = await refused('?order=desc&limit=1');
    expect(items).toMatchObject([{ id: response.id, method: 'POST', path: '/v1/messages', status, error }]);
    expect(items[0]?.request.query).toBe('control_token=***&to=1');
    expect(JSON.stringify(items)).not.toMatch(/let-me-in|someone-elses/);
  });

  it('enters no journal and makes no account', async () => {
    const before = [...sandbox.accounts.all()].length;
    await send({});
    await send({ authorization: 'Bearer nobody' });
    expect([...sandbox.accounts.all()]).toHaveLength(before);
    for (const { store } of sandbox.accounts.all()) expect(store.tables.requests.size).toBe(0);
  });

  it('that sends the control token as its API key is answered with the reason', async () => {
    const { status, body } = await send({ authorization: `Bearer ${token}` });
    expect(status).toBe(401);
    expect(body).toContain('This is the control token of the sandbox, not an API key.');
    expect(JSON.stringify(await refused('?order=desc&limit=1'))).not.toContain(token);
  });

  it('is one of the newest 500', async () => {
    const last = (await refused('?order=desc&limit=1')).items[0]?.seq ?? 0;
    for (let n = 0; n < 501; n += 1) await send({});
    const { items, next } = await refused('?limit=1000');
    expect([items.length, items.at(-1)?.seq, next]).toEqual([500, last + 501, null]);
    const page = await refused(`?after=${last + 499}`);
    expect(page.items.map(({ seq }) => seq)).toEqual([last + 500, last + 501]);
  });
});
