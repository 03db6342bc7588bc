/** What belongs to a person or an account stays in the capture, whatever its place there. */
import { describe, expect, it } from 'vitest';
import { readCapture } from '../src/parity/capture.js';
import { learnFrom } from '../src/parity/run.js';

const status = (number: number, more: object) => ({
  message_id: `abcdef00-1234-4000-8000-00000000000${number}`,
  to: `+44791112345${number}`,
  status: 'sent',
  ...more,
});

/** Events in the envelope of another service. */
const hooks = (...data: object[]) =>
  data
    .map((payload, index) =>
      JSON.stringify({
        headers: { 'x-service-signature': 's', 'x-event-type': 'message.status', 'x-event-id': `evt_${index}` },
        body: JSON.stringify({ event: 'message.status', id: `evt_${index}`, ts: 1_777_888_830 + index, payload }),
      }),
    )
    .join('\n');

const send = (name: string) =>
  JSON.stringify({
    request: {
      method: 'POST',
      url: '/v1/messages',
      headers: { Authorization: 'Bearer a' },
      body: { to: '+447911123451', type: 'template', template: { name, language: 'en', variables: ['zoe'] } },
    },
    response: { status: 400, body: { error: { code: 'validation_error', message: 'No.' } } },
  });

const files = (...texts: string[]) =>
  readCapture(texts.map((text, index) => ({ name: `${index}.ndjson`, bytes: Buffer.from(text) })));

async function written(...texts: string[]) {
  const { text, findings } = await learnFrom(files(...texts));
  return { text, all: text + JSON.stringify(findings) };
}

describe('a learnt dialect has', () => {
  it.each([
    ['a number as a property name', { by_number: { '447911123456': 'sent' } }, '447911123456'],
    ['an address as a property name', { seen: { 'ada@example.com': true } }, 'ada@'],
    ['an id as a property name', { by_id: { cus_9f8a7b6c: true } }, '9f8a'],
    ['a name of a person as a property name', { seen: { 'Ada Lovelace': true } }, 'Ada'],
    ['a word that was seen once', { segment: 'vip' }, 'vip'],
    ['a small number that was seen once', { floor: 417 }, '417'],
  ])('not %s', async (_name, more, leak) => {
    const { text, all } = await written(hooks(status(1, more)));
    expect(all).not.toContain(leak);
    expect(text).toContain('message_id: "{message_id}"');
  });

  it('not a word that all events of one person have', async () => {
    const { all } = await written(hooks(status(1, { segment: 'vip' }), status(1, { segment: 'vip', status: 'read' })));
    expect(all).not.toContain('vip');
  });

  it('not a word that the application sent, as a value or a property name', async () => {
    const events = [1, 2].map((number) => status(number, { about: 'spring', by_name: { zoe: true } }));
    const { all } = await written(send('spring'), hooks(...events));
    expect(all).not.toMatch(/spring|zoe/);
  });

  it('a word or small number that is the same for two people, and a word of the interface document', async () => {
    const { text } = await written(
      hooks(...[1, 2].map((n) => status(n, { product: 'chat', version: 2, kind: 'message' }))),
    );
    expect(text).toMatch(/product: chat\n +version: 2\n +kind: message/);
    expect((await written(hooks(status(1, { kind: 'message' })))).text).toContain('kind: message');
  });

  it('not a code of an error that is like an id', async () => {
    const odd = send('spring').replace('validation_error', 'acct_447911123456');
    expect((await written(odd)).all).not.toContain('447911');
  });
});
