import { expect } from 'vitest';
import { describeInBrowser, looksOf, accessFaults, useServedPage } from '../support/browser.js';

const ada = '+12025550110';

describeInBrowser('the story of a message', () => {
  const { it, open, served } = useServedPage();

  it('goes from the rejected call over statuses, events and attempts to the reply, and on as things happen', async ({
    world,
  }) => {
    await world.register('https://sink.sandbox/app', ['message.status', 'message.received']);
    await world.template('order_shipped');
    await world.post('/_sandbox/rules', {
      id: 'busy',
      when: 'message.send',
      pick: { first: 1 },
      then: { respond: { status: 503 } },
    });
    const template = { name: 'order_shipped', language: 'en', variables: ['42'] };
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traced = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const send = () =>
      world.call<{ message_id: string }>('POST', '/v1/messages', { to: ada, type: 'template', template }, traced);
    expect((await send()).status).toBe(503);
    const { message_id: id } = (await send()).body;
    const page = await open(served.url, `/${world.key}/handset/${ada}/${id}`);
    await page.getByRole('article', { name: 'From the account' }).hover();
    await page.getByRole('button', { name: 'Message actions' }).click();
    await page.getByRole('link', { name: 'Story' }).click();
    const story = page.getByRole('article', { name: `Story of order_shipped to ${ada}` });
    const entries = story.locator('.story-entry');
    const titles = () => entries.locator('p.strong a, p.strong:not(:has(a))').allInnerTexts();
    await expect
      .poll(titles)
      .toStrictEqual([
        'POST /v1/messages: 503',
        'POST /v1/messages: 200',
        'Message accepted',
        'Message sent',
        'Event message.status sent',
        'Attempt 1 to sink.sandbox/app: 200',
        expect.stringContaining('Message delivered') as string,
        expect.stringContaining('Message read') as string,
      ]);
    await story.getByText(`Trace ${traceId}`).waitFor();
    await entries.nth(0).getByText(/503/).last().waitFor();
    await entries
      .nth(6)
      .getByText(/^in \d+|now/)
      .waitFor();
    await world.advance('1h');
    await world.inbound(ada, { text: 'Thank you' });
    await entries.getByText('Customer replies').waitFor();
    await entries.getByText('Thank you').waitFor();
    await entries.getByText('Event message.status read').click();
    await page.waitForURL(/story\/event\/evt_/);
    await entries.getByText('Message read').waitFor();
    await entries.getByText('POST /v1/messages: 503').click();
    await page.getByText(/Rejected with/).waitFor();
  });

  it('of a code ends with its verification', async ({ world }) => {
    await world.template('login_code', { category: 'authentication', body: undefined });
    const { otp_id: id } = await world.post<{ otp_id: string }>('/v1/otp/send', { to: ada });
    const otp = await world.get<{ code: string }>(`/_sandbox/otps/${id}`);
    await world.call('POST', '/v1/otp/verify', { otp_id: id, code: otp.code === '000000' ? '111111' : '000000' });
    await world.post('/v1/otp/verify', { otp_id: id, code: otp.code });
    const page = await open(served.url, `/${world.key}/codes/${id}`);
    await page.getByRole('link', { name: 'From send to verification' }).click();
    const story = page.getByRole('article', { name: `Story of code to ${ada}` });
    await story.getByText('POST /v1/otp/send: 200').waitFor();
    expect(await story.getByText(/POST \/v1\/otp\/verify/).count()).toBe(2);
    await story.getByText('Code verified').waitFor();
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/story/message/nothing`);
    await page.getByText('No message with this id').waitFor();
  });

  it.each(looksOf('story'))('has no violation of accessibility: $name', async (look) => {
    const world = served.world();
    const id = await world.text(ada);
    const page = await open(served.url, `/${world.key}/story/message/${id}`, look);
    await page.getByText('Message accepted').waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
