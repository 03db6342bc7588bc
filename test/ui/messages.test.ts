import { expect } from 'vitest';
import { describeInBrowser, useServedPage } from '../support/browser.js';

const [ada, blocked] = ['+12025550110', '+12025550121'];

describeInBrowser('messages', () => {
  const { it, open, served } = useServedPage();

  it('shows the failed ones with one click, and why one failed with another', async ({ world }) => {
    await world.template('order_shipped');
    const many = Array.from({ length: 30 }, () => ada);
    await world.send(many, 'order_shipped');
    await world.send(blocked, 'order_shipped', ['late']);
    await world.advance('1m');
    const page = await open(served.url, `/${world.key}`);
    await page.getByRole('link', { name: /^Failed/ }).click();
    const rows = page.getByRole('table', { name: 'Messages' }).getByRole('row', { name: /failed/ });
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('link').click();
    await page.getByText('not_delivered_by_channel 131049').waitFor();
    await page
      .getByRole('group', { name: 'Why' })
      .getByText(/^Magic number: Failed after 3 seconds/)
      .waitFor();
    await page.getByRole('region', { name: 'What happened' }).getByText('Message failed').waitFor();
  });

  it('names the customers, finds them by name, and has a number for each state', async ({ world }) => {
    await world.inbound(ada, { profile_name: 'Ada Lovelace', text: 'Where is it?' });
    await world.inbound(blocked, { profile_name: 'Grace', text: 'Thanks' });
    const page = await open(served.url, `/${world.key}/messages`);
    await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor();
    await page.getByRole('link', { name: 'Received 2' }).waitFor();
    await page.getByRole('link', { name: 'Delivered 0' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('lovelace');
    await page.getByRole('link', { name: 'All 1', exact: true }).waitFor();
    await page.getByRole('row', { name: /Where is it/ }).waitFor();
  });

  it('follows the account, reads older rows as one scrolls, and searches what it has not read', async ({ world }) => {
    await world.text(ada, 'The very first one');
    await world.template('order_shipped');
    const many = Array.from({ length: 83 }, () => ada);
    for (const turn of [1, 2, 3]) await world.send(many, 'order_shipped', [String(turn)]);
    const page = await open(served.url, `/${world.key}/messages`);
    await page
      .getByRole('row', { name: /Order 3 left/ })
      .first()
      .waitFor();
    await world.reply(ada, 'Just now');
    await page.getByRole('row', { name: /Just now/ }).waitFor();
    const search = page.getByRole('searchbox', { name: 'Search messages' });
    await search.fill('VERY FIRST');
    await page.getByRole('row', { name: /The very first one/ }).waitFor();
    expect(page.url()).toContain('q=VERY');
    await page.getByRole('link', { name: 'All 1', exact: true }).waitFor();
    await search.fill('');
    await page.getByRole('row', { name: /Just now/ }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    const first = page.getByRole('row', { name: /The very first one/ });
    await expect
      .poll(async () => {
        await page.evaluate(
          "{ const list = document.querySelector('.scroller'); list.scrollTo(0, list.scrollHeight); }",
        );
        return first.count();
      })
      .toBe(1);
  });

  it('leads from a message to its call, its deliveries and its conversation', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.status']);
    const id = await world.text(ada, 'On its way');
    await world.advance('2s');
    const page = await open(served.url, `/${world.key}/messages/${id}`);
    const story = page.getByRole('region', { name: 'What happened' });
    await story.getByRole('link', { name: 'POST /v1/messages: 200' }).waitFor();
    await expect.poll(() => story.getByRole('link', { name: /^Attempt 1 to sink/ }).count()).toBe(3);
    await page.getByText('events delivered').waitFor();
    await page.getByRole('link', { name: 'Conversation', exact: true }).click();
    await page.getByRole('article', { name: 'From the business' }).getByText('On its way').waitFor();
  });

  it('says that an id is unknown', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/messages/00000000-0000-4000-8000-000000000000`);
    await page.getByRole('heading', { name: 'This message does not exist' }).waitFor();
  });

  it('shows codes, and a wrong one does not look like a success', async ({ world }) => {
    await world.template('login', { category: 'authentication', body: undefined });
    const page = await open(served.url, `/${world.key}/messages/codes`);
    await page.getByRole('button', { name: 'Send code' }).first().click();
    await page.getByRole('button', { name: 'Send code' }).last().click();
    await page.getByRole('heading', { name: `Code to ${ada}` }).waitFor();
    const code = await page.getByRole('textbox', { name: 'Code to verify' }).inputValue();
    await page.getByRole('textbox', { name: 'Code to verify' }).fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Verify code' }).click();
    await page.getByText('Wrong code: 4 attempts left.').waitFor();
    await page.getByRole('textbox', { name: 'Code to verify' }).fill(code);
    await page.getByRole('button', { name: 'Verify code' }).click();
    await page.getByText('The code is valid.').waitFor();
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page
      .getByRole('row', { name: /Wrong code, 4 attempts left/ })
      .getByRole('link')
      .click();
    await page.getByRole('status').filter({ hasText: 'Wrong code' }).getByText(ada).waitFor();
  });

  it('says of a locked code what locked it, and not that it has expired', async ({ world }) => {
    await world.template('login', { category: 'authentication', body: undefined });
    const { otp_id: id } = await world.post<{ otp_id: string }>('/v1/otp/send', { to: ada });
    for (let turn = 0; turn < 5; turn += 1) await world.call('POST', '/v1/otp/verify', { otp_id: id, code: 'wrong' });
    const page = await open(served.url, `/${world.key}/messages/codes/${id}`);
    const story = page.getByRole('region', { name: 'What happened' });
    await story.getByText('Wrong code, 0 attempts left').waitFor();
    expect(await story.getByText('Code expired').count()).toBe(0);
  });
});
