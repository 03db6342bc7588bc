import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { accessFaults, describeInBrowser, liesWithin, looksOf, useServedPage } from '../support/browser.js';
import type { World } from '../support/client.js';
import { startReceiver, type Receiver } from '../support/receivers.js';

const ada = '+12025550110';
const all = ['message.received', 'message.status', 'otp.verified', 'template.status'];

describeInBrowser('the webhook inspector', () => {
  const { it, open, served } = useServedPage();
  let receiver: Receiver;
  /** The response of the receiver. */
  let answer = 503;

  beforeAll(async () => {
    receiver = await startReceiver((response) => {
      response.statusCode = answer;
      response.end(answer === 200 ? 'thanks' : 'the database is away');
    });
  });
  afterAll(() => receiver.close());

  /** One event for an endpoint that accepts it; its page is open. */
  async function delivered(): Promise<{ world: World; page: Page; webhookId: string }> {
    const world = served.world();
    const { webhook_id: webhookId } = await world.register('https://sink.sandbox/app', all);
    await world.inbound(ada, { text: 'Hello?' });
    const [delivery] = await world.deliveries();
    const page = await open(served.url, `/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`);
    await page.getByRole('heading', { name: /delivered/ }).waitFor();
    return { world, page, webhookId };
  }

  it('registers a failing receiver, sees the ladder end in paused, and the same delivery arrive in the end', async () => {
    answer = 503;
    const world = served.world();
    const page = await open(served.url, `/${world.key}/webhooks`);
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('link', { name: 'Endpoints', exact: false }).first().click();
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByLabel('URL', { exact: true }).fill('http://localhost');
    await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click();
    await page.getByText('Expected an https:// URL').waitFor();
    await page.getByLabel('URL', { exact: true }).fill(receiver.url('/hook'));
    await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: /localhost.*active/ }).waitFor();

    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('button', { name: 'Emit event' }).click();
    await page.getByLabel('From').fill(ada);
    await page.getByRole('dialog').getByRole('button', { name: 'Emit', exact: true }).click();
    await page.getByRole('heading', { name: /message\.received retrying/ }).waitFor();
    const ladder = page.getByRole('img', { name: /Attempt 1: all failed · attempt 2 in 1 min · pause in 24 h/ });
    await ladder.waitFor();
    await page.getByRole('region', { name: 'Response' }).getByText('the database is away').waitFor();

    await page.getByRole('button', { name: '+24 h' }).click();
    await page.getByRole('heading', { name: /message\.received held/ }).waitFor();
    await page.getByRole('img', { name: /Attempts 1 to 27 .* endpoint paused on Mon 2 Mar 2026 09:00/ }).waitFor();
    expect(await page.locator('.rung.refused').count()).toBe(27);

    answer = 200;
    await page.getByRole('button', { name: 'Activate endpoint' }).click();
    await page.getByRole('button', { name: 'Redeliver', exact: true }).click();
    await page.getByRole('heading', { name: /message\.received delivered/ }).waitFor();
    await page.getByRole('img', { name: 'Attempt 28: delivered.' }).waitFor();
    const [delivery] = await world.deliveries();
    expect(delivery).toMatchObject({ state: 'delivered' });
    // The same bytes in the first and the last attempt.
    const bodies = new Set(receiver.received.map(({ body }) => body));
    expect([receiver.received.length, bodies.size]).toStrictEqual([28, 1]);
  });

  it('shows that an endpoint is paused beside an address that has no end', async ({ world }) => {
    const { webhook_id: id } = await world.register(`https://sink.sandbox/${'long-path-'.repeat(20)}`, all);
    await world.put(`/_sandbox/webhooks/${id}`, { status: 'paused' });
    const page = await open(served.url, `/${world.key}/webhooks/endpoints`);
    const list = page.getByRole('region', { name: 'Endpoints' });
    expect(await liesWithin(list.getByText('paused', { exact: true }), list)).toBe(true);
  });

  it('says why an endpoint is paused and since when, and sends what was held', async ({ world }) => {
    const { webhook_id: id } = await world.register('https://sink.sandbox/app', all);
    const page = await open(served.url, `/${world.key}/webhooks/endpoints/${id}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused since Sun 1 Mar 2026 09:00:00').waitFor();
    await page.getByText('Paused through the control plane.').waitFor();
    await world.inbound(ada);
    await world.inbound(ada);
    await page.getByText('2 held deliveries').waitFor();
    await page.getByRole('button', { name: 'Set active' }).click();
    await page.getByRole('button', { name: 'Redeliver all' }).click();
    await page.getByText('2 deliveries are redelivered.').waitFor();
    await world.idle();
    expect((await world.deliveries()).map(({ state }) => state)).toStrictEqual(['delivered', 'delivered']);
  });

  it('shows how an endpoint has responded, and sends a test event to it', async () => {
    answer = 503;
    const world = served.world();
    const { webhook_id: id } = await world.register(receiver.url('/hook'), ['message.received']);
    const page = await open(served.url, `/${world.key}/webhooks/endpoints/${id}`);
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('appear after the first attempt').waitFor();
    await health.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('heading', { name: /message\.received retrying/ }).waitFor();
    answer = 200;
    await world.advance('1m');
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/webhooks/endpoints/${id}`);
    await health.getByText('50 % of the latest 2 attempts succeeded').waitFor();
    await health.getByRole('group', { name: 'Response times of 2 attempts, oldest first; 1 failed' }).waitFor();
    await health.getByRole('button', { name: 'Certify' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await health.getByRole('link', { name: /: 503, / }).click();
    await page.getByRole('region', { name: 'Attempt 1' }).waitFor();
  });

  it('keeps the secret back until asked, makes a new one, and removes the endpoint', async ({ world }) => {
    const { webhook_id: id, secret } = await world.register('https://sink.sandbox/app', all);
    const page = await open(served.url, `/${world.key}/webhooks/endpoints/${id}`);
    const show = page.getByRole('button', { name: 'Show secret' });
    await show.waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    await show.click();
    await page.getByText(secret).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByText(secret).waitFor({ state: 'detached' });
    const [endpoint] = await world.items<{ secret: string }>('/_sandbox/webhooks');
    await page.getByText(endpoint?.secret ?? '').waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove endpoint', exact: true }).click();
    await page.getByText('No endpoints yet').waitFor();
    expect(await world.items('/_sandbox/webhooks')).toStrictEqual([]);
  });

  it('computes the signature again: it matches, and differs once the secret is another', async () => {
    const { world, page } = await delivered();
    const check = page.getByRole('region', { name: 'Signature check' });
    await check.getByText('Signature matches').waitFor();
    await check.getByLabel('Check with another secret').fill('whsec_wrong');
    await check.getByText('Signature differs').waitFor();
    await check.getByText('was not made with the secret').waitFor();
    await check.getByLabel('Check with another secret').fill('');
    await check.getByText('Signature matches').waitFor();
    await world.register('https://sink.sandbox/app', all);
    await check.getByText('Signature differs').waitFor();
    await check.getByText('registering it again generated a new secret').waitFor();
  });

  it('redelivers with a fault, and shows what it did to signature and bytes', async () => {
    const { page } = await delivered();
    const check = page.getByRole('region', { name: 'Signature check' });
    const bend = async (choices: Record<string, string>) => {
      await page.getByRole('button', { name: 'With a fault …' }).click();
      const dialog = page.getByRole('dialog');
      for (const [label, value] of Object.entries(choices)) await dialog.getByLabel(label).selectOption(value);
      await dialog.getByRole('button', { name: 'Redeliver' }).click();
    };
    await bend({ Signature: 'wrong_secret' });
    await page.getByRole('region', { name: 'Attempt 2' }).waitFor();
    await check.getByText('Signature differs').waitFor();
    await check.getByText('A fault was requested').waitFor();
    await bend({ Signature: 'valid', Body: 'reformatted' });
    await page.getByRole('region', { name: 'Attempt 3' }).waitFor();
    await check.getByText('Signature matches').waitFor();
    const other = check.locator('.over');
    await other.filter({ hasText: 'before the fault' }).getByText('differs').waitFor();
    await other.filter({ hasText: 'Parsed and serialised again' }).getByText('differs').waitFor();
    await bend({ Signature: 'valid', Receiver: 'refused' });
    await page.getByRole('region', { name: 'Attempt 4' }).getByText('connection_refused').first().waitFor();
    // An earlier attempt has its own address.
    await page.getByRole('link', { name: /^#2/ }).click();
    await page.getByRole('region', { name: 'Attempt 2' }).waitFor();
    expect(page.url()).toMatch(/\/2$/);
    await page.reload();
    await page.getByRole('region', { name: 'Attempt 2' }).waitFor();
  });

  it('shows deliveries as they come, chooses among them by the address, and keeps text text', async ({ world }) => {
    await world.register('https://sink.sandbox/app', all);
    const page = await open(served.url, `/${world.key}/webhooks`);
    await page.getByText('No deliveries yet').waitFor();
    const hostile = '<img src=x onerror="document.title=\'taken\'">';
    await world.inbound(ada, { text: hostile, profile_name: hostile });
    await page.getByRole('row', { name: /delivered.*message\.received/ }).waitFor();
    await world.post('/_sandbox/events', { type: 'otp.verified' });
    await page.getByRole('row', { name: /otp\.verified/ }).waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Event' }).selectOption('message.received');
    await page.getByRole('row', { name: /otp\.verified/ }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('type=message.received');
    await page.getByRole('searchbox', { name: 'Search deliveries' }).fill('nothing holds this');
    await page.getByText('No delivery matches').waitFor();
    await page.getByRole('searchbox', { name: 'Search deliveries' }).fill('onerror');
    await page
      .getByRole('row', { name: /message\.received/ })
      .getByRole('link')
      .click();
    await page.getByRole('region', { name: 'Event', exact: true }).getByText('onerror').first().waitFor();
    expect(page.url()).toContain('q=onerror');
    expect(await page.title()).toMatch(/^Webhooks/);
    expect(await page.locator('main img').count()).toBe(0);
  });

  it.each(looksOf('webhooks'))('has no violation of accessibility: $name', async (look) => {
    answer = 503;
    const world = served.world();
    const { webhook_id: id } = await world.register(receiver.url('/hook'), all);
    await world.inbound(ada);
    await world.idle();
    const [delivery] = await world.deliveries();
    const page = await open(served.url, `/${world.key}/webhooks`, look);
    await page.getByRole('row', { name: /retrying/ }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`);
    await page.getByText('Signature matches').waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(look.width);
    await page.getByRole('button', { name: 'With a fault …' }).click();
    expect(await accessFaults(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/webhooks/endpoints/${id}`);
    await page.getByText('Failure streak.').waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
  });
});
