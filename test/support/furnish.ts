/** Creates an account with records of every kind, so that ids can be real. */
import { World } from './client.js';

/** Ids of existing records, by the path segment before them, or by the parameter that takes them. */
export type Pool = Readonly<Record<string, readonly string[]>>;

interface Item {
  readonly id?: string;
  readonly message_id?: string;
  readonly otp_id?: string;
  readonly name?: string;
}

export async function furnish(url: string, key: string): Promise<Pool> {
  const world = new World(url, key);
  const to = '+12025550110';
  await world.put('/_sandbox/clock', { mode: 'frozen' });
  const expect = [{ at: 'finish', that: 'requests', where: { operation: 'message.send' }, max: 0 }];
  await world.put('/_sandbox/scenario', { version: 1, name: 'furnished', expect });
  await world.register('https://sink.sandbox/app', [
    'message.status',
    'message.received',
    'otp.verified',
    'template.status',
  ]);
  await world.register('https://down.test/hook', ['message.status']);
  await world.template('order_shipped');
  await world.template('login_code', { category: 'authentication', body: undefined });
  await world.template('never_seen', {}, false);
  await world.inbound(to, { text: 'Hello' });
  await world.inbound(to, { interactive: { id: 'yes', title: 'Yes' } });
  await world.reply(to, 'Hi');
  await world.send([to, '+12025550111', 'nobody'], 'order_shipped');
  const otp = await world.post<{ otp_id: string }>('/v1/otp/send', { to });
  await world.post('/v1/otp/verify', { otp_id: otp.otp_id, code: 'wrong' });
  await world.post('/_sandbox/rules', {
    id: 'a-rule',
    when: 'message.send',
    match: { phone: '+1999*' },
    then: { respond: { status: 503 } },
  });
  await world.advance('2s');
  await world.post('/_sandbox/snapshots', { name: 'before' });
  const list = async (path: string, id: keyof Item): Promise<string[]> =>
    (await world.items<Item>(path)).flatMap((item) => item[id] ?? []);
  const messages = await list('/_sandbox/messages', 'message_id');
  const events = await list('/_sandbox/events', 'id');
  const webhooks = await list('/_sandbox/webhooks', 'id');
  return {
    messages,
    message_id: messages,
    events,
    event: events,
    webhooks,
    webhook_id: webhooks,
    templates: await list('/_sandbox/templates', 'id'),
    otps: await list('/_sandbox/otps', 'otp_id'),
    deliveries: await list('/_sandbox/deliveries', 'id'),
    requests: await list('/_sandbox/requests', 'id'),
    customers: [to, '12025550110', '+12025550199'],
    to: [to],
    name: ['order_shipped'],
    snapshots: ['before', 'after'],
    rules: ['a-rule'],
    sink: ['app', 'other'],
    accounts: [key, `${key}-other`],
    operation: ['sendMessage', 'message.send'],
    for: ['event', 'delivery', 'message', 'request', 'otp'],
  };
}
