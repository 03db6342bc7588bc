import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeInBrowser, liesWithin, useServedPage } from '../support/browser.js';
import { newWorld } from '../support/client.js';
import { freePort } from '../support/receivers.js';

const ada = '+12025550110';

/** Whether an element in the panel is wider than the panel. */
const overflows = (page: Page) =>
  page.evaluate<boolean>(`[...document.querySelectorAll('main *')].some((each) => {
    const { right, width } = each.getBoundingClientRect();
    return width > 0 && right > innerWidth + 1;
  })`);

/** Texts of headings that are on two lines although one has space for them, and that have no dash to break at. */
const brokenWords = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('h1, h2, h3')].flatMap((heading) => {
    const range = document.createRange();
    const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (texts.nextNode()) {
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s\u2010-\u2015/-]+/g)) {
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const pieces = [...range.getClientRects()];
        const wide = pieces.reduce((sum, { width }) => sum + width, 0);
        if (pieces.length > 1 && wide < heading.clientWidth) broken.push(word);
      }
    }
    return broken;
  })`);

/** The font sizes of the controls in each visible toolbar. */
const toolbarSizes = (page: Page) =>
  page.evaluate<string[][]>(`[...document.querySelectorAll('.list-head, .detail-actions')].map((bar) => [
    ...new Set([...bar.querySelectorAll('button, a, select, input:not([type=checkbox])')]
      .filter((each) => each.checkVisibility() && each.innerText !== '')
      .map((each) => getComputedStyle(each).fontSize)),
  ])`);

describeInBrowser('what the page once did wrong', () => {
  const { it, open, served } = useServedPage();

  it('the line of an empty panel acts on the account that is shown', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario`);
    const line = await page.getByLabel('Command', { exact: true }).innerText();
    execFileSync('sh', ['-c', line]);
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: 'flaky-api' });
  });

  it('a new secret asks before it activates a paused endpoint', async ({ world }) => {
    const { webhook_id: id } = await world.register('https://sink.sandbox/app');
    await world.put(`/_sandbox/webhooks/${id}`, { status: 'paused' });
    const status = async () => (await world.items<{ status: string }>('/_sandbox/webhooks'))[0]?.status;
    const page = await open(served.url, `/${world.key}/webhooks/endpoints/${id}`);
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByText('It also activates the paused endpoint').waitFor();
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

  it('an address with no number in it says so, and one without its plus is understood', async ({ world }) => {
    await world.inbound(ada, { profile_name: 'Ada' });
    const page = await open(served.url, `/${world.key}/handset/nobody`);
    await page.getByText('This is not a phone number').waitFor();
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/handset/${ada.slice(1)}`);
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
  });

  it('tables keep within the page at every width, and large screens show more than rows', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada);
    await world.idle();
    await world.call('POST', '/v1/messages', { to: 'x', type: 'text', text: 'x' });
    const page = await open(served.url, `/${world.key}/webhooks/deliveries`);
    for (const width of [390, 768, 1280, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${served.url}/_sandbox/ui#/${world.key}/webhooks/deliveries`);
      await page.getByRole('row', { name: /message\.received/ }).waitFor();
      await expect.poll(() => overflows(page), { message: `deliveries at ${width}` }).toBe(false);
      const next = page.getByRole('columnheader', { name: 'Next attempt' });
      await expect.poll(() => next.count()).toBe(width < 1000 ? 0 : 1);
      if (width === 2560) await page.getByText('Nothing is open').waitFor();
      await page.goto(`${served.url}/_sandbox/ui#/${world.key}/requests`);
      const row = page.getByText(/must be an E\.164 number/).first();
      await row.waitFor();
      await expect.poll(() => overflows(page), { message: `requests at ${width}` }).toBe(false);
    }
  });

  it('reply buttons are as wide as their bubble', async ({ world }) => {
    await world.put(`/_sandbox/customers/${ada}/window`, { open: true });
    const interactive = { body: 'Which one?', buttons: [{ id: 'a', title: 'The first one' }] };
    await world.post('/v1/messages', { to: ada, type: 'interactive', interactive });
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    const button = page.getByRole('button', { name: 'The first one' });
    expect(await liesWithin(button, page.locator('.bubble'))).toBe(true);
  });

  it('the JSON of an event is there once, unless a fault changed it', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada, { text: 'Only once' });
    await world.idle();
    const [delivery] = await world.deliveries();
    const page = await open(served.url, `/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`);
    await page.getByText('The body is exactly the event above.').waitFor();
    expect(await page.getByText('Only once').filter({ visible: true }).count()).toBe(1);
    expect(await page.getByRole('region', { name: 'Retry schedule' }).count()).toBe(0);
    await page.getByRole('button', { name: 'With a fault …' }).click();
    await page.getByLabel('Signature', { exact: true }).selectOption('valid');
    await page.getByLabel('Body', { exact: true }).selectOption('truncate');
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click();
    await page.getByLabel('request body', { exact: true }).waitFor();
    await page.getByText('truncated', { exact: true }).first().waitFor();
  });

  it('a list tells what was done, by which rule, and of a batch how much failed', async ({ world }) => {
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

  it('a time of another day has its date', async ({ world }) => {
    await world.get('/v1/templates');
    await world.advance('24h');
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor();
    await page.getByText('1 Mar 09:00:00').waitFor();
  });

  it('magic numbers are of one country, and are described so', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario/magic`);
    await page.getByText('+1, any area code, then 555 01NN').waitFor();
    await world.template('order_shipped');
    const failed = async (to: string) => {
      await world.send(to, 'order_shipped');
      await world.advance('1m');
      const messages = await world.items<{ to: string; status: string }>('/_sandbox/messages');
      return messages.find((message) => message.to === to)?.status;
    };
    expect([await failed('+13125550121'), await failed('+442025550121')]).toStrictEqual(['failed', 'read']);
  });

  it('a refused connection is told before and above the advice', async ({ world }) => {
    await world.register(`https://localhost:${await freePort()}/app`, ['message.received']);
    await world.inbound(ada);
    await world.idle();
    const [delivery] = await world.deliveries();
    const page = await open(served.url, `/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`);
    const lines = page.locator('.notice.bad p');
    await lines.nth(1).waitFor();
    expect(await lines.allInnerTexts()).toStrictEqual([
      expect.stringContaining('refused the connection.'),
      expect.stringMatching(/^No server is listening on port \d+\. Start your server/),
    ]);
    const [fact = 0, advice = 0] = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.notice.bad p')].map((line) => parseFloat(getComputedStyle(line).fontSize))",
    );
    expect(fact).toBeGreaterThan(advice);
  });

  it('a verdict is not red before anything could have happened', async ({ world }) => {
    const expected = [{ at: 'finish', that: 'messages', min: 1 }];
    await world.put('/_sandbox/scenario', { version: 1, name: 'mine', expect: expected });
    const page = await open(served.url, `/${world.key}/scenario`);
    await page.getByText('0 passed, 0 failed, 1 open').waitFor();
    expect(await page.locator('main .bad').count()).toBe(0);
  });

  it('the heading of an explanation names who moved a thing last', async ({ world }) => {
    const id = await world.template('sale_reject');
    const page = await open(served.url, `/${world.key}/templates/${id}`);
    const why = page.getByRole('region', { name: 'Why' });
    await why.getByText('A command moved it to approved.').waitFor();
    await why.getByText('A command decided').waitFor();

    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada);
    await world.idle();
    const [delivery] = await world.deliveries();
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`);
    await page.getByRole('button', { name: 'Redeliver', exact: true }).click();
    await why.getByText('Redelivered by a command.').waitFor();
    await why.getByText('A command decided').waitFor();
    expect(await why.getByText('The defaults decided').count()).toBe(0);
  });

  it('no title breaks a word, no toolbar has two type sizes, and columns are nouns', async ({ world }) => {
    const template = await world.template('order_shipped_to_the_customer_and_paid');
    const { webhook_id: endpoint } = await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada, { profile_name: 'Ada' });
    await world.idle();
    await world.put('/_sandbox/scenario', { name: 'flaky-api' });
    await world.post('/v1/otp/send', { to: ada }).catch(() => undefined);
    const [delivery] = await world.deliveries();
    const [call] = await world.items<{ id: string }>('/_sandbox/requests');
    const places = [
      `handset/${ada}`,
      `templates/${template}`,
      `webhooks/deliveries/${delivery?.id ?? ''}`,
      `webhooks/endpoints/${endpoint}`,
      `requests/${call?.id ?? ''}`,
      'scenario',
      'scenario/magic',
      'codes',
      'account',
    ];
    const page = await open(served.url, `/${world.key}/${places[0] ?? ''}`);
    for (const place of places) {
      await page.goto('about:blank');
      await page.goto(`${served.url}/_sandbox/ui#/${world.key}/${place}`);
      await page.locator('main').getByRole('heading').first().waitFor();
      await page.waitForLoadState('networkidle');
      for (const width of [390, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const at = `${place} at ${width}`;
        await expect.poll(() => brokenWords(page), { message: at }).toStrictEqual([]);
        for (const sizes of await toolbarSizes(page)) expect(sizes.length, `${at}: ${sizes.join()}`).toBeLessThan(2);
        const columns = await page.getByRole('columnheader').allInnerTexts();
        for (const title of columns) expect(title, at).not.toMatch(/^(?:What|About|Remarks|Took|At|Owed since)\b/);
        if (place === 'scenario/magic') expect(columns).toContain('Behaviour');
        await expect.poll(() => overflows(page), { message: at }).toBe(false);
      }
    }
  });

  it('what belongs to one row stands together on a large screen', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada);
    await world.idle();
    const [delivery] = await world.deliveries();
    await world.post(`/_sandbox/deliveries/${delivery?.id ?? ''}/redeliver`);
    await world.idle();
    const page = await open(served.url, `/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`, { width: 2560 });
    const row = page.getByRole('list', { name: 'Attempts, latest first' }).getByRole('link').first();
    const [first, last] = [await row.getByText('#2').boundingBox(), await row.getByText(/ ms$/).boundingBox()];
    expect(last!.x - first!.x).toBeLessThan(600);
  });
});
