/** An account with a bit of everything, and how much it holds. */
import type { World } from './client.js';

/** A bit of everything, with retries, reviews and lifecycles still to come. */
export async function lived(world: World) {
  const template = await world.template('order_shipped');
  await world.template('pending_one', {}, false);
  const { webhook_id, secret } = await world.register('https://sink.sandbox/app', [
    'message.received',
    'message.status',
  ]);
  await world.put('/_sandbox/sink/app', { respond: [{ status: 500 }] });
  await world.inbound('+12025550110', { text: 'Hi' });
  const message = await world.reply('+12025550110');
  await world.idle();
  await world.advance('10s');
  return { template, webhook_id, secret, message };
}

export const lists = [
  'messages',
  'templates',
  'customers',
  'otps',
  'events',
  'deliveries',
  'webhooks',
  'requests',
] as const;
export const sizes = async (world: World): Promise<Record<string, number>> => {
  const size = async (name: string): Promise<[string, number]> => [
    name,
    (await world.items(`/_sandbox/${name}`)).length,
  ];
  return Object.fromEntries(await Promise.all(lists.map(size)));
};
