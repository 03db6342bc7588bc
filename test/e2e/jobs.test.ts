import { describe, expect } from 'vitest';
import type { Control } from '../support/client.js';
import { useSandbox } from '../support/sandbox.js';
import { frozen } from '../support/scenes.js';

const ada = '+12025550110';

const { it } = useSandbox({ clock: frozen });

describe('GET /_sandbox/clock/jobs', () => {
  const jobs = '/_sandbox/clock/jobs';

  it('lists what lies ahead, each with its instant', async ({ world }) => {
    expect(await world.page(jobs)).toStrictEqual({ items: [], next: null });
    const id = await world.text(ada);
    const items = await world.items<Control['Job']>(jobs);
    expect(items).toMatchObject([
      { job: 'message.status', subject: id, due: '2026-03-01T09:00:00.300Z' },
      { job: 'message.status', subject: id, due: '2026-03-01T09:00:01.000Z' },
    ]);
    const clock = await world.clock();
    expect([clock.pending, clock.next_due]).toStrictEqual([items.length, items[0]?.due]);
    await world.advance('1s');
    expect(await world.items(jobs)).toStrictEqual([]);
  });

  it('says what each is about, and so does the advance that ran it', async ({ world }) => {
    const { webhook_id: hook } = await world.register('https://sink.sandbox/app');
    await world.put('/_sandbox/sink/app', { respond: [{ status: 503 }] });
    await world.template('order_shipped');
    await world.send(ada, 'order_shipped');
    const report = { job: 'message.status', about: 'order_shipped', to: ada, status: 'delivered' };
    expect((await world.items(jobs))[0]).toMatchObject(report);
    expect((await world.advance('300ms')).ran).toMatchObject([report, { job: 'delivery.attempt', webhook_id: hook }]);
    const ahead = await world.items(jobs);
    const url = 'https://sink.sandbox/app';
    const retry = { about: 'order_shipped', to: ada, status: 'sent', event_type: 'message.status', url, attempt: 2 };
    expect(ahead.find(({ job }) => job === 'delivery.attempt')).toMatchObject(retry);
    expect(ahead.find(({ job }) => job === 'endpoint.pause')).toMatchObject({ about: url, webhook_id: hook, url });
    await world.template('slow_slow', {}, false);
    const review = (await world.items(jobs)).find(({ job }) => job === 'template.review');
    expect(review).toMatchObject({ about: 'slow_slow', status: 'approved' });
  });
});

describe('the latest message of a customer', () => {
  it('is told with the customer, whichever way it went', async ({ world }) => {
    const latest = async () => (await world.get<Control['Customer']>(`/_sandbox/customers/${ada}`)).last_message;
    await world.put(`/_sandbox/customers/${ada}/window`, { open: true });
    expect(await latest()).toBeNull();
    await world.inbound(ada, { text: 'x'.repeat(200) });
    expect(await latest()).toMatchObject({ direction: 'inbound', status: 'received', text: 'x'.repeat(140) });
    const interactive = { body: 'Well?', buttons: [{ id: 'y', title: 'Yes' }] };
    await world.post('/v1/messages', { to: ada, type: 'interactive', interactive });
    expect(await latest()).toMatchObject({ direction: 'outbound', status: 'sent', text: 'Well?' });
    await world.advance('1m');
    const [listed] = await world.items<Control['Customer']>('/_sandbox/customers');
    expect(listed?.last_message).toMatchObject({ status: 'read', created_at: '2026-03-01T09:00:00.000Z' });
  });

  it('has no words where it has none', async ({ world }) => {
    await world.inbound(ada, { type: 'image' });
    const { last_message: last } = await world.get<Control['Customer']>(`/_sandbox/customers/${ada}`);
    expect(last).toMatchObject({ type: 'image', text: null });
  });
});
