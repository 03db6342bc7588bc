/** A client of the service with the types that openapi-typescript makes of openapi.yaml: they compile, narrow, and fit the responses. */
import createClient from 'openapi-fetch';
import { expect } from 'vitest';
import type { components, paths } from '../src/generated/api.js';
import { useSandbox } from './support/sandbox.js';
import { frozen } from './support/scenes.js';

type Schemas = components['schemas'];

/** Fails to compile where a message of one type takes the fields of another. */
// @ts-expect-error a text message has no template
export const mixed: Schemas['SendMessageRequest'] = { to: '+12025550199', type: 'text', template: { name: 'a' } };

const { sandbox, it } = useSandbox({ clock: frozen });

it('submits a template, sends a message and a batch, is rejected, and reads an event', async ({ world }) => {
  const client = createClient<paths>({ baseUrl: sandbox.url, headers: { Authorization: `Bearer ${world.key}` } });
  const send = async (to: Schemas['TemplateRecipients']): Promise<Schemas['SendResult']> => {
    const template = { name: 'order_shipped', language: 'en', variables: ['42'] };
    return (await client.POST('/v1/messages', { body: { type: 'template', to, template } })).data!;
  };
  await world.register('https://sink.sandbox/events');
  await world.template('order_shipped');

  const body = { name: 'made_by_typescript', category: 'utility', language: 'en', body: 'Hello {{1}}' } as const;
  const { data: submitted } = await client.POST('/v1/templates', { body });
  const path = { template_id: submitted!.template_id };
  const { data: template } = await client.GET('/v1/templates/{template_id}', { params: { path } });
  expect([submitted!.status, template!.status]).toStrictEqual(['pending_review', 'pending']);

  const single = await send('+12025550101');
  if (single.status !== 'accepted') throw new Error(`${single.batch_id} is a batch`);
  await world.advance('1s');
  const { data: message } = await client.GET('/v1/messages/{message_id}', { params: { path: single } });
  expect(message).toMatchObject({ status: 'read', error: null });

  const batch = await send(['+12025550102', '555']);
  if (batch.status !== 'queued') throw new Error(`${batch.message_id} is not a batch`);
  expect(batch.results[1]?.error?.code).toBe('validation_error');

  const rejected = await client.POST('/v1/messages', { body: { to: '+12025550199', type: 'text', text: 'Hello' } });
  expect(rejected.error?.error.code).toBe('send_failed');

  const received = await world.items<{ body: string }>('/_sandbox/sink/events/received');
  const events = received.map((each) => JSON.parse(each.body) as Schemas['WebhookEvent']);
  const statuses = events.flatMap((event) => (event.type === 'message.status' ? [event.data.status] : []));
  expect(statuses).toStrictEqual(['sent', 'delivered', 'read', 'sent']);
});
