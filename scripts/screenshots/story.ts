/** The day of a small shop, as calls of the API and the control plane, for the pictures of the page. */
import type { SandboxAccount } from '../../src/client/account.js';
import { SandboxError } from '../../src/client/sandbox-error.js';

export const storyKey = 'corner_shop';

const [ada, grace, linus, margaret, blocked] = [
  '+12025550110',
  '+12025550111',
  '+12025550112',
  '+12025550113',
  '+12025550121',
] as const;

/** @throws SandboxError if a call is rejected, which means that the story is wrong */
export async function playStory(shop: SandboxAccount): Promise<void> {
  const post = (path: string, body: object) =>
    shop.call('POST', path, body).catch((error: unknown) => {
      // The scenario of the story sometimes rejects sends.
      if (!(error instanceof SandboxError && error.status === 503)) throw error;
    });
  const advance = (by: string) => shop.clock.advance(by);
  const says = (from: string, name: string, text: string) => shop.customer(from).says({ profile_name: name, text });
  const reply = (to: string, text: string) => post('/v1/messages', { to, type: 'text', text });
  const shipped = (to: string, order: string, day: string) =>
    post('/v1/messages', {
      to,
      type: 'template',
      template: { name: 'order_shipped', language: 'en', variables: [order, day] },
    });
  const submit = (name: string, category: string, body: string) =>
    post('/v1/templates', { name, category, language: 'en', body });

  // A receiver that is down for more than a day: its endpoint is paused by the time the shop opens.
  const old = 'https://sink.sandbox/old-crm';
  await post('/v1/webhooks', { url: old, events: ['message.received'] });
  await post('/_sandbox/rules', {
    id: 'old-receiver-down',
    when: 'webhook.deliver',
    match: { url: old },
    then: { webhook: { receiver: { simulate: 503 } } },
  });
  await says(linus, 'Linus', 'Are you open on Sundays?');
  await advance('26h');
  await shop.call('PUT', '/_sandbox/scenario', { version: 1, ...scenario });
  await post('/v1/webhooks', {
    url: 'https://sink.sandbox/shop',
    events: ['message.received', 'message.status', 'template.status', 'otp.verified'],
  });
  await submit('order_shipped', 'utility', 'Your order {{1}} has left. It arrives {{2}}.');
  await submit('sign_in', 'authentication', 'Your code is {{1}}.');
  await submit('spring_sale_reject', 'marketing', 'Everything half price, today only!');
  await advance('3h');
  await submit('opening_hours_slow', 'utility', 'We are open until {{1}}.');

  for (const [to, order, day] of [
    [ada, 'A-1042', 'on Tuesday'],
    [grace, 'A-1043', 'tomorrow'],
    [margaret, 'A-1044', 'on Friday'],
    [blocked, 'A-1045', 'on Friday'],
  ] as const) {
    await shipped(to, order, day);
    await shipped(to, order, day);
    await advance('40s');
  }
  await says(grace, 'Grace', 'That was quick, thank you!');
  await advance('2m');
  await says(margaret, 'Margaret', 'Friday is bad. Can it come on Saturday?');
  await advance('5m');
  await reply(margaret, 'Of course. Saturday between 9 and 12.');
  await advance('1m');
  await says(ada, 'Ada', 'Is the blue lamp in the parcel too?');
  await advance('30s');
  await post('/v1/messages', {
    to: ada,
    type: 'interactive',
    interactive: {
      body: 'It is on its way separately. Shall we send both together?',
      buttons: [
        { id: 'both', title: 'Both together' },
        { id: 'soon', title: 'As soon as possible' },
      ],
    },
  });
  await advance('20s');
  await says(ada, 'Ada', 'Together is fine.');
  await advance('10s');
  await reply(ada, 'Done: one parcel, on Wednesday.');
  await post('/v1/otp/send', { to: ada });
  await advance('200ms');
}

const scenario = {
  name: 'a-busy-day',
  description: 'Some sends are rejected once, and one customer has blocked the shop.',
  rules: [
    {
      id: 'busy-once',
      when: 'message.send',
      pick: { calls: 1 },
      per: 'phone',
      then: { respond: { status: 503, retry_after: '2s' } },
    },
    {
      id: 'forged-now-and-then',
      when: 'webhook.deliver',
      match: { attempts: 1 },
      pick: { every: 6 },
      then: { webhook: { signature: 'wrong_secret' } },
    },
  ],
  timeline: [{ at: '+6h', inbound: { phone: linus, text: 'Hello? Anybody there?' } }],
  expect: [
    {
      at: 'finish',
      that: 'messages',
      where: { direction: 'outbound' },
      duplicate: 0,
      because: 'What was rejected is tried again, and nothing is sent twice.',
    },
    {
      at: 'finish',
      that: 'otps',
      where: { state: 'verified' },
      min: 1,
      because: 'A customer who asks for a code signs in with it.',
    },
    {
      at: '+7h',
      that: 'messages',
      where: { direction: 'outbound', to: linus },
      min: 1,
      because: 'A customer who writes is answered within the hour.',
    },
  ],
};
