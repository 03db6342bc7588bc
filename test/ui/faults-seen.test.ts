import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeInBrowser, liesWithin, useBrowser, useServedPage } from '../support/browser.js';
import { newWorld } from '../support/client.js';

const ada = '+12025550110';

/** Whether something in the panel is wider than the panel. */
const overflows = (page: Page) =>
  page.evaluate<boolean>(`[...document.querySelectorAll('main *')].some((each) => {
    const { right, width } = each.getBoundingClientRect();
    return width > 0 && right > innerWidth + 1;
  })`);

describeInBrowser('what the page once did wrong', () => {
  const { open } = useBrowser();
  const served = useServedPage();

  it('the line of an empty panel acts on the account that is shown', async () => {
    const world = served.world();
    const page = await open(served.url, `/${world.key}/scenario`);
    const line = await page.getByLabel('Command', { exact: true }).innerText();
    execFileSync('sh', ['-c', line]);
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: 'flaky-api' });
  });

  it('a new secret asks before it activates a paused endpoint', async () => {
    const world = served.world();
    const { webhook_id: id } = await world.register('https://sink.sandbox/app');
    await world.put(`/_sandbox/webhooks/${id}`, { status: 'paused' });
    const status = async () => (await world.items<{ status: string }>('/_sandbox/webhooks'))[0]?.status;
    const page = await open(served.url, `/${world.key}/webhooks/endpoints/${id}`);
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByText('which also activates the paused endpoint').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await status()).toBe('paused');
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Generate secret and activate' }).click();
    await page.getByText('Registered again.').waitFor();
    expect(await status()).toBe('active');
  });

  it('an account whose name is in another script works', async () => {
    const page = await open(served.url, '/ключ/handset');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    const utf8 = Buffer.from('ключ').toString('latin1');
    expect(await newWorld({ url: served.url }, utf8).items('/_sandbox/customers')).toHaveLength(1);
  });

  it('an address with no number in it says so, and one without its plus is understood', async () => {
    const world = served.world();
    await world.inbound(ada, { profile_name: 'Ada' });
    const page = await open(served.url, `/${world.key}/handset/nobody`);
    await page.getByText('This is not a phone number').waitFor();
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/handset/${ada.slice(1)}`);
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
  });

  it('tables keep within the page at every width, and large screens show more than rows', async () => {
    const world = served.world();
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada);
    await world.idle();
    await world.call('POST', '/v1/messages', { to: 'x', type: 'text', text: 'x' });
    for (const width of [390, 768, 1280, 2560]) {
      const page = await open(served.url, `/${world.key}/webhooks/deliveries`, { width });
      await page.getByRole('row', { name: /message\.received/ }).waitFor();
      expect(await overflows(page), `deliveries at ${width}`).toBe(false);
      expect(await page.getByRole('columnheader', { name: 'Next attempt' }).count()).toBe(width < 1000 ? 0 : 1);
      if (width === 2560) await page.getByText('Nothing is open').waitFor();
      await page.goto(`${served.url}/_sandbox/ui#/${world.key}/requests`);
      await page
        .getByText(/must be an E\.164|to must/)
        .first()
        .waitFor();
      expect(await overflows(page), `requests at ${width}`).toBe(false);
      await page.close();
    }
  });

  it('reply buttons are as wide as their bubble', async () => {
    const world = served.world();
    await world.put(`/_sandbox/customers/${ada}/window`, { open: true });
    const interactive = { body: 'Which one?', buttons: [{ id: 'a', title: 'The first one' }] };
    await world.post('/v1/messages', { to: ada, type: 'interactive', interactive });
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    const button = page.getByRole('button', { name: 'The first one' });
    expect(await liesWithin(button, page.locator('.bubble'))).toBe(true);
  });

  it('the JSON of an event is there once, unless a fault changed it', async () => {
    const world = served.world();
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada, { text: 'Only once' });
    await world.idle();
    const [delivery] = await world.deliveries();
    const page = await open(served.url, `/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`);
    await page.getByText('The body is the event above, byte for byte.').waitFor();
    expect(await page.getByText('Only once').filter({ visible: true }).count()).toBe(1);
    expect(await page.getByRole('region', { name: 'Retry schedule' }).count()).toBe(0);
    await page.getByRole('button', { name: 'With a fault …' }).click();
    await page.getByLabel('Signature', { exact: true }).selectOption('valid');
    await page.getByLabel('Body', { exact: true }).selectOption('truncate');
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click();
    await page.getByLabel('request body', { exact: true }).waitFor();
    await page.getByText('truncated', { exact: true }).first().waitFor();
  });

  it('a list tells what was done, by which rule, and of a batch how much failed', async () => {
    const world = served.world();
    await world.register('https://sink.sandbox/app', ['message.received']);
    const webhook = { duplicate: 1, signature: 'wrong_secret' };
    await world.post('/_sandbox/rules', { id: 'twice', when: 'webhook.deliver', then: { webhook } });
    await world.inbound(ada);
    await world.idle();
    const page = await open(served.url, `/${world.key}/webhooks`);
    const row = page.getByRole('row', { name: /message\.received/ });
    for (const text of ['×2', 'wrong secret', 'twice']) await row.getByText(text, { exact: true }).waitFor();
    expect(await row.count()).toBe(1);
    await page.getByRole('button', { name: 'Only problems' }).click();
    await page.getByText('No delivery matches').waitFor();
    await page.getByRole('button', { name: 'Only problems' }).click();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Rule' }).selectOption('twice');
    await row.waitFor();
    expect(page.url()).toContain('rule=twice');

    await world.template('order_shipped');
    await world.send([ada, '+12025550111', '12'], 'order_shipped');
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/requests`);
    await page.getByText('1 of 3 failed').waitFor();
  });

  it('a time of another day has its date', async () => {
    const world = served.world();
    await world.get('/v1/templates');
    await world.advance('24h');
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor();
    await page.getByText('1 Mar 09:00:00').waitFor();
  });
});
