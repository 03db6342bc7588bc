import { afterAll, beforeAll, expect } from 'vitest';
import { accessFaults, describeInBrowser, useServedPage } from '../support/browser.js';
import { startReceiver, type Receiver } from '../support/receivers.js';

const ada = '+12025550110';

describeInBrowser('the search', () => {
  const { it, open, served } = useServedPage();
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver((response) => {
      response.statusCode = 503;
      response.end();
    });
  });
  afterAll(() => receiver.close());

  it('finds messages, customers, templates, codes and requests, by keyboard alone', async ({ world }) => {
    await world.inbound(ada, { text: 'Where is my blue parcel?' });
    const template = await world.template('parcel_left');
    await world.text('+12025550111', 'Hello');
    const page = await open(served.url, `/${world.key}/templates`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('parcel_left').first().waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search records and actions' });
    await field.fill('parcel');
    const options = page.getByRole('option');
    await options.filter({ hasText: 'Where is my blue parcel?' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    // The template comes first.
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(`/templates/${template}`);

    await page.keyboard.press('/');
    await field.fill('blue parcel');
    await options.filter({ hasText: 'Where is my blue parcel?' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(`/handset/${ada}/`);

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Search' }).click();
    await field.fill('/v1/messages');
    await options.filter({ hasText: 'POST /v1/messages' }).waitFor();
    // From the only request to the lists with all records.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('/requests?q=%2Fv1%2Fmessages');
  });

  it('advances to the next retry, and shows the map of keys', async ({ world }) => {
    await world.register(receiver.url('/search'), ['message.received']);
    await world.inbound(ada);
    await expect.poll(async () => (await world.deliveries())[0]?.attempts.length).toBe(1);
    const page = await open(served.url, `/${world.key}/webhooks`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search records and actions' }).fill('next retry');
    await page.getByRole('option', { name: 'Advance to the next retry' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await world.deliveries())[0]?.attempts.length).toBe(2);
    // Letters in a field are text, not shortcuts.
    await page.getByRole('searchbox', { name: 'Search deliveries' }).press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.locator('body').click({ position: { x: 2, y: 2 } });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Search records and actions').waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('6');
    await expect.poll(() => page.url()).toContain('/requests');
  });

  it('has no single-key shortcut once they are switched off, also after a reload', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/codes`);
    await page.getByText('No codes yet').waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck();
    expect(await accessFaults(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByText('No codes yet').waitFor();
    for (const key of ['?', '/', '5', 'j']) await page.keyboard.press(key);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(page.url()).toContain('/codes');
    // The way back is a key with a modifier.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search records and actions' }).fill('show the keys');
    await page.keyboard.press('Enter');
    await keys.getByRole('checkbox', { name: 'Single-key shortcuts' }).check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('6');
    await expect.poll(() => page.url()).toContain('/requests');
  });
});
