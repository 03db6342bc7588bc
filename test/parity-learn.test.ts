/** Traffic of services that speak otherwise than the sandbox: what is learnt of it, and what is found to differ. */
import { describe, expect, it } from 'vitest';
import { readCapture } from '../src/parity/capture.js';
import { compareWith, learnFrom } from '../src/parity/run.js';

const call = (key: string | null, method: string, url: string, status: number, body: object, sent?: object) => ({
  request: {
    method,
    url,
    headers: key === null ? {} : { Authorization: `Bearer ${key}` },
    ...(sent && { body: sent }),
  },
  response: { status, body },
});
const read = (rows: readonly object[]) =>
  readCapture([{ name: 'a.ndjson', bytes: Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')) }]);
const id = '00000000-0000-4000-8000-000000000000';
const refused = { error: { code: 'unauthorized', message: 'Who are you?' } };
const good = call('a', 'GET', '/v1/templates', 200, { templates: [] });

describe('learn', () => {
  it.each([
    ['no key, 403', [good, call(null, 'GET', '/v1/templates', 403, refused)], 'errors.status.unauthorized: 403'],
    ['no key, 400', [good, call(null, 'GET', '/v1/templates', 400, refused)], 'errors.status.unauthorized: 400'],
    ['another key, 403', [good, call('b', 'GET', '/v1/templates', 403, refused)], 'errors.status.unauthorized: 403'],
  ])('takes the refusal of %s, as that of a missing key', async (_name, rows, setting) => {
    expect((await learnFrom(read(rows))).text).toContain(setting);
  });

  it.each([
    ['a list that is none', call('a', 'GET', '/v1/templates', 200, {})],
    [
      'a body that is missing',
      call('a', 'POST', '/v1/otp/verify', 400, { error: { code: 'otp_expired', message: 'Late.' } }),
    ],
  ])('says of %s that it was not played', async (_name, row) => {
    const { skipped } = await compareWith(read([row]));
    expect(skipped).toEqual([{ place: 'a.ndjson#1', why: expect.stringContaining('another form') as string }]);
  });

  it('says of a refusal that it does not understand that it differs', async () => {
    const { text, findings } = await learnFrom(read([good, call('a', 'GET', '/v1/templates', 403, refused)]));
    expect(text).not.toContain('403');
    expect(findings.filter(({ result }) => result === 'differs')).toMatchObject([{ evidence: ['a.ndjson#2'] }]);
  });

  it.each(['type', 'c', 'error', 'x_problem'])('finds renamed codes in the property %s', async (name) => {
    const error = (code: string, message: string) => ({ [name]: code, message });
    const { text, findings } = await learnFrom(
      read([
        call('a', 'GET', `/v1/messages/${id}`, 404, error('NF', 'No such message.')),
        call('a', 'POST', '/v1/messages', 400, error('bad_request', 'No text.'), { to: '+12025550110', type: 'text' }),
        call(null, 'GET', '/v1/templates', 401, error('unauthorized', 'No key.')),
      ]),
    );
    expect(findings.filter(({ result }) => result === 'differs')).toEqual([]);
    expect(text).toContain(`${name}: "{code}"`);
    expect(text).toMatch(/errors\.codes\.not_found: NF/);
    expect(text).toMatch(/errors\.codes\.validation_error: bad_request/);
  });

  it('takes an event that two endpoints got as one', async () => {
    const event = (number: number) => ({
      headers: { 'x-service-signature': 's' },
      body: {
        ...{ event: 'message.status', ref: `evt_${number}`, ts: 1_777_888_830 + number },
        payload: { message_id: `abcdef00-1234-4000-8000-00000000000${number}`, status: 'sent' },
      },
    });
    const { text, findings } = await learnFrom(read([event(1), event(2), event(1)]));
    expect(findings.filter(({ result }) => result === 'differs')).toEqual([]);
    expect(text).toMatch(/webhooks\.shape:\n +event: "\{type\}"\n +ref: "\{id\}"\n +ts: .*\n +payload: "\{data\}"/);
  });

  it.each(['total', 'n'])('takes the number of entries of a list, as %s, as their count', async (name) => {
    const [url, events] = ['https://my.app/hook', ['message.status']];
    const at = '2026-05-04T10:00:05.000Z';
    const item = { id, url, events, status: 'active', pause_reason: null, created_at: at, updated_at: at };
    const { text } = await learnFrom(
      read([
        call('a', 'POST', '/v1/webhooks', 200, { webhook_id: id, secret: 'whsec_a' }, { url, events }),
        call('a', 'GET', '/v1/webhooks', 200, { webhooks: [item], [name]: 1 }),
      ]),
    );
    expect(text).toContain(`${name}: "{count}"`);
  });
});

it('compare takes any text for a message, also a single word', async () => {
  const details = [{ field: 'text', message: 'required' }];
  const body = { error: { code: 'validation_error', message: 'no', details } };
  const rows = [call('a', 'POST', '/v1/messages', 400, body, { to: '+12025550110', type: 'text' })];
  expect((await compareWith(read(rows))).differences).toEqual([]);
  const other = JSON.parse(JSON.stringify(rows).replace('"no"', '7')) as typeof rows;
  expect((await compareWith(read(other))).differences).toMatchObject([{ at: 'body.error.message' }]);
});
