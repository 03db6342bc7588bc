import { expect } from 'vitest';
import { accessFaults, describeInBrowser, liesWithin, looksOf, useServedPage } from '../support/browser.js';

const ada = '+12025550110';

describeInBrowser('the handset', () => {
  const { it, open, served } = useServedPage();

  it('lets a person write as the customer, and shows the bubble and the open window', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    await page.getByText('Window closed').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Where is my order?');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'From the customer' }).getByText('Where is my order?').waitFor();
    await page.getByText('Window open').waitFor();
    await page.getByText('24 h left').waitFor();
    const [event] = await world.events('?type=message.received');
    expect(event?.data).toMatchObject({ from: ada, type: 'text', text: 'Where is my order?' });
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('');
  });

  it('keeps everything in sight beside a name that has no end, and cuts a name at its own end', async ({ world }) => {
    await world.post('/_sandbox/inbound', { from: ada, profile_name: 'a'.repeat(200), text: 'x'.repeat(1500) });
    await world.post('/_sandbox/inbound', { from: '+12025550111', profile_name: 'محمد '.repeat(30) });
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    const bubble = page.getByRole('article', { name: 'From the customer' });
    const buttons = ['Send', 'Close window'].map((name) => page.getByRole('button', { name, exact: true }));
    for (const thing of [bubble, ...buttons]) expect(await liesWithin(thing, page.locator('body'))).toBe(true);
    await page.locator('.conversation-name:dir(rtl)').filter({ hasText: 'محمد' }).waitFor();
  });

  it('shows what the account writes as it comes, and how far it got', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    await page.getByText('No messages yet').waitFor();
    await world.text(ada, 'It left this morning.');
    const bubble = page.getByRole('article', { name: 'From the account' });
    await bubble.getByText('It left this morning.').waitFor();
    await bubble.getByRole('img', { name: 'Sent' }).waitFor();
    await world.advance('1m');
    await bubble.getByRole('img', { name: 'Read' }).waitFor();
  });

  it('fills templates in, and a tap on a button is an event', async ({ world }) => {
    await world.template('ask', {
      body: 'Is {{1}} right?',
      buttons: [
        { type: 'quick_reply', text: 'Yes' },
        { type: 'url', text: 'See it', url: 'https://shop.test' },
      ],
    });
    await world.send(ada, 'ask', ['10 Downing Street']);
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    await page.getByRole('article').getByText('Is 10 Downing Street right?').waitFor();
    expect(await page.getByRole('button', { name: 'See it' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Yes', exact: true }).click();
    await page.getByRole('article', { name: 'From the customer' }).getByText('Yes').waitFor();
    const [event] = await world.events('?type=message.received');
    expect(event?.data).toMatchObject({ type: 'interactive', interactive: { id: 'Yes', title: 'Yes' } });
  });

  it('reports a failure with the error one chooses, and says why on hover and focus', async ({ world }) => {
    const id = await world.text(ada);
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    await page.getByRole('article').hover();
    await page.getByRole('button', { name: 'Message actions' }).click();
    await page.getByText('by default').waitFor();
    await page.getByRole('button', { name: 'Fail with …' }).click();
    await page.getByRole('button', { name: /recipient_opted_out/ }).click();
    const failure = page.getByRole('button', { name: /recipient_opted_out 131050/ });
    await failure.waitFor();
    const tip = page.getByRole('tooltip');
    expect(await tip.isVisible()).toBe(false);
    await failure.focus();
    await tip.waitFor();
    expect(await world.get(`/_sandbox/messages/${id}`)).toMatchObject({
      status: 'failed',
      error: { channel_code: 131050 },
    });
  });

  it('marks a message delivered and read, and then offers no more', async ({ world }) => {
    await world.text(ada);
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    for (const move of ['Mark delivered', 'Mark read']) {
      await page.getByRole('article').hover();
      await page.getByRole('button', { name: 'Message actions' }).click();
      await page.getByRole('button', { name: move }).click();
    }
    await page.getByRole('article').getByRole('img', { name: 'Read' }).waitFor();
    await page.getByRole('article').hover();
    await page.getByRole('button', { name: 'Message actions' }).click();
    await page.getByRole('button', { name: 'Copy message id' }).waitFor();
    expect(await page.getByRole('button', { name: /Mark|Fail/ }).count()).toBe(0);
  });

  it('shows media as cards and fetches none of it', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('button', { name: 'Document' }).click();
    await page.getByRole('textbox', { name: 'File URL' }).fill('https://files.test/a/invoice-42.pdf');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: /invoice-42\.pdf\s*files\.test/ }).waitFor();
    await page.getByRole('button', { name: 'Image' }).click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('link', { name: /media\.sandbox/ }).waitFor();
    expect(asked.filter((url) => !url.startsWith(served.url))).toStrictEqual([]);
  });

  it('lets the customer say anything', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    await page.getByRole('button', { name: 'Generate message' }).click();
    await page.getByRole('article', { name: 'From the customer' }).waitFor();
    const [event] = await world.events('?type=message.received');
    expect(event?.data).toMatchObject({ from: ada, text: expect.stringMatching(/\w+ \w+/) as string });
  });

  it('begins with a new customer, whose hostile name stays text', async ({ world }) => {
    const hostile = '<img src=x onerror="document.title=\'taken\'">';
    const page = await open(served.url, `/${world.key}/handset`);
    await page.getByText('No conversations yet').waitFor();
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByLabel('Number').fill('12');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.getByText('Invalid number "12".').waitFor();
    await page.getByLabel('Number').fill(ada);
    await page.getByLabel('Name').fill(hostile);
    await page.getByLabel('First message').fill('<script>document.title="taken"</script>');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.getByRole('heading', { name: hostile }).waitFor();
    await page.getByRole('article').getByText('<script>document.title="taken"</script>').waitFor();
    expect(await page.title()).toMatch(/^Handset/);
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('counts what came for others, finds conversations, and closes the window', async ({ world }) => {
    await world.inbound(ada, { profile_name: 'Ada', text: 'Hello?' });
    await world.inbound('+12025550111', { profile_name: 'Grace', text: 'Anybody there?' });
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    await page.getByText('Live', { exact: true }).waitFor();
    const list = page.getByRole('list').filter({ has: page.getByRole('link', { name: /Grace/ }) });
    await world.reply('+12025550111', 'Yes!');
    await list.getByText('1 unread').waitFor();
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('grace');
    await list.getByText('Ada').waitFor({ state: 'detached' });
    await list.getByRole('link', { name: /Grace/ }).click();
    await page.getByRole('article').getByText('Yes!').waitFor();
    await list.getByText('1 unread').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Close window' }).click();
    await page.getByText('Window closed').waitFor();
    expect((await world.call('POST', '/v1/messages', { to: '+12025550111', type: 'text', text: 'x' })).status).toBe(
      400,
    );
  });

  it('keeps what was typed over a reload, and leads to a message by its address', async ({ world }) => {
    await world.text(ada, 'The first of many');
    const [first] = await world.items<{ message_id: string }>(`/_sandbox/customers/${ada}/messages`);
    for (let count = 0; count < 150; count += 1) await world.inbound(ada, { text: `line ${count}` });
    const page = await open(served.url, `/${world.key}/handset/${ada}/${first?.message_id ?? ''}`);
    await page.getByText('The first of many').waitFor();
    // Virtual: rows that are far away are not rendered.
    expect(await page.getByRole('article').count()).toBeLessThan(60);
    await page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
    await page.reload();
    await page.getByText('The first of many').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('half a thought');
  });

  it.each(looksOf('handset'))('has no violation of accessibility: $name', async (look) => {
    const world = served.world();
    await world.inbound(ada, { profile_name: 'Ada' });
    await world.post('/v1/messages', {
      to: ada,
      type: 'interactive',
      interactive: { body: 'Well?', buttons: [{ id: 'y', title: 'Yes' }] },
    });
    await world.text('+12025550120');
    const page = await open(served.url, `/${world.key}/handset`, look);
    await page.getByRole('link', { name: /Ada/ }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    for (const phone of [ada, '+12025550120']) {
      await page.goto(`${served.url}/_sandbox/ui#/${world.key}/handset/${phone}`);
      await page.getByRole('article', { name: 'From the account' }).waitFor();
      expect(await accessFaults(page)).toStrictEqual([]);
    }
    await page.getByRole('article').last().hover();
    await page.getByRole('button', { name: 'Message actions' }).last().click();
    await page.getByRole('button', { name: 'Copy message id' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
  });
});
