/** Traffic of a sandbox that plays the real service, recorded as an HTTP Archive and as NDJSON. */
import { Buffer } from 'node:buffer';
import type { Sandbox } from '../../src/sandbox.js';

interface Recorded {
  readonly har: string;
  readonly hooks: string;
}

const base = 'https://api.example.com/tenant/42';

export async function record(sandbox: Sandbox, key = 'key_of_the_shop'): Promise<Recorded> {
  const entries: object[] = [];
  const call = async (method: string, path: string, body?: unknown, authorization: string | null = `Bearer ${key}`) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(sandbox.url + path, {
      method,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
      },
      ...(text !== undefined && { body: text }),
    });
    const received = await response.text();
    if (path.startsWith('/v1'))
      entries.push({
        startedDateTime: now,
        request: {
          method,
          url: base + path,
          headers: [{ name: 'Authorization', value: authorization ?? '' }],
          ...(text !== undefined && { postData: { mimeType: 'application/json', text } }),
        },
        response: {
          status: response.status,
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          content: { text: Buffer.from(received).toString('base64'), encoding: 'base64' },
        },
      });
    return (received === '' ? {} : JSON.parse(received)) as Record<string, string>;
  };
  let now = '2026-03-01T09:00:00.000Z';
  const later = async (by: string) => {
    const clock = await call('POST', '/_sandbox/clock/advance', { by });
    now = clock['now'] ?? now;
  };
  await call('PUT', '/_sandbox/clock', { mode: 'frozen', now });
  const hook = {
    url: 'https://sink.sandbox/app',
    events: ['message.received', 'message.status', 'otp.verified', 'template.status'],
  };
  const { webhook_id: endpoint } = await call('POST', '/v1/webhooks', hook);
  await call('GET', '/v1/webhooks');
  const template = { name: 'order_shipped', category: 'utility', language: 'en', body: 'Hi {{1}}' };
  const { template_id: id } = await call('POST', '/v1/templates', template);
  await later('2s');
  await call('GET', `/v1/templates/${id}`);
  await call('POST', '/v1/templates', template);
  await call('POST', '/v1/templates', { name: 'no_body' });
  await call('POST', '/v1/templates', { ...template, name: 'is_rejected' });
  const rejected = (await call('GET', '/v1/templates')) as unknown as { templates: { id: string }[] };
  await call('POST', `/_sandbox/templates/${rejected.templates[0]!.id}/review`, {
    decision: 'rejected',
    reason: 'Too loud for us.',
  });
  const sent = { type: 'template', template: { name: 'order_shipped', language: 'en', variables: ['Ada'] } };
  for (const to of ['+12025550101', '+12025550120']) {
    const { message_id: message } = await call('POST', '/v1/messages', { ...sent, to });
    await later('2s');
    await call('GET', `/v1/messages/${message}`);
  }
  await call('POST', '/v1/messages', { ...sent, to: ['+12025550102', '555'] });
  await call('POST', '/v1/messages', { to: '+12025550103', type: 'text', text: 'Hi' });
  await call('POST', '/_sandbox/inbound', { from: '+12025550103', text: 'Where is it?', profile_name: 'Ada Lovelace' });
  await call('POST', '/_sandbox/inbound', {
    from: '+12025550103',
    type: 'image',
    media_url: 'https://cdn.example.com/a.jpg',
    profile_name: 'Ada Lovelace',
  });
  await call('POST', '/v1/messages', { to: '+12025550103', type: 'text', text: 'Hi' });
  await call('POST', '/v1/otp/send', { to: '+12025550101' });
  await call('POST', '/v1/templates', { name: 'login', category: 'authentication', language: 'en' });
  await later('2s');
  const { otp_id: otp } = await call('POST', '/v1/otp/send', { to: '+12025550101' });
  const { code } = await call('GET', `/_sandbox/otps/${otp}`);
  await call('POST', '/v1/otp/verify', { otp_id: otp, code: code === '000000' ? '000001' : '000000' });
  await call('POST', '/v1/otp/verify', { otp_id: otp, code });
  const { otp_id: expired } = await call('POST', '/v1/otp/send', { to: '+12025550101' });
  await later('6m');
  await call('POST', '/v1/otp/verify', { otp_id: expired, code: '123456' });
  await call('GET', '/v1/messages/00000000-0000-4000-8000-000000000000');
  await call('GET', '/v1/templates', undefined, null);
  await call('DELETE', `/v1/webhooks/${endpoint}`);
  const received = (await call('GET', '/_sandbox/sink/app/received?limit=1000')) as unknown as {
    items: { headers: object; body: string }[];
  };
  const hooks = received.items.map(({ headers, body }) => JSON.stringify({ headers, body })).join('\n');
  return { har: JSON.stringify({ log: { version: '1.2', entries } }), hooks };
}
