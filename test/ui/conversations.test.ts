import { expect } from 'vitest';
import { describeInBrowser, useServedPage } from '../support/browser.js';

const ada = '+12025550110';

describeInBrowser('conversations', () => {
  const { it, open, served } = useServedPage();

  it('are played from both sides in one view', async ({ world }) => {
    await world.inbound(ada, { profile_name: 'Ada' });
    const page = await open(served.url, `/${world.key}/conversations`);
    await page.getByRole('textbox', { name: 'Write as the customer' }).fill('Where is it?');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'From the customer' }).getByText('Where is it?').waitFor();
    await page.getByRole('button', { name: 'As business' }).click();
    await page.getByRole('textbox', { name: 'Write as the business' }).fill('At the door');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'From the business' }).getByText('At the door').waitFor();
    expect((await world.items('/_sandbox/requests')).length).toBe(1);
  });

  it('send media and buttons as the business', async ({ world }) => {
    await world.inbound(ada);
    const page = await open(served.url, `/${world.key}/conversations/${ada}`);
    await page.getByRole('button', { name: 'As business' }).click();
    const bubble = page.getByRole('article', { name: 'From the business' });
    for (const [type, label, value, shown] of [
      ['Image', 'File URL', 'https://cdn.example.com/parcel.jpg', 'parcel.jpg'],
      ['Document', 'File URL', 'https://cdn.example.com/invoice.pdf', 'invoice.pdf'],
      ['Buttons', 'Buttons, separated by commas', 'Yes, No', 'Yes'],
    ] as const) {
      await page.getByRole('button', { name: type, exact: true }).click();
      await page.getByRole('textbox', { name: label }).fill(value);
      if (type === 'Buttons') await page.getByRole('textbox', { name: 'Question above' }).fill('Leave it there?');
      // The service takes no text with them.
      else expect(await page.getByRole('textbox').count()).toBe(1);
      await page.getByRole('button', { name: 'Send as the business' }).click();
      await bubble.getByText(shown).first().waitFor();
    }
    await bubble.getByRole('button', { name: 'Yes' }).click();
    await page.getByRole('article', { name: 'From the customer' }).getByText('tapped a button').waitFor();
  });

  it('send a template with its variables, also when the window is closed', async ({ world }) => {
    await world.template('order_shipped', { body: 'Order {{1}} left.' });
    const page = await open(served.url, `/${world.key}/conversations/${ada}`);
    await page.getByRole('button', { name: 'As business' }).click();
    await page.getByRole('button', { name: 'Template', exact: true }).click();
    await page.getByRole('textbox', { name: '{{1}}' }).fill('4711');
    await page.getByRole('button', { name: 'Send as the business' }).click();
    await page.getByRole('article', { name: 'From the business' }).getByText('Order 4711 left.').waitFor();
  });

  it('warn of a closed window before one writes, and open it in place', async ({ world }) => {
    await world.inbound(ada);
    await world.advance('25h');
    const page = await open(served.url, `/${world.key}/conversations/${ada}`, { expected: /400/ });
    await page.getByRole('button', { name: 'As business' }).click();
    await page.getByRole('textbox', { name: 'Write as the business' }).fill('Hello');
    await page.keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'Write a message' });
    await form.getByText(/session window/i).waitFor();
    await form.getByRole('button', { name: 'Open window' }).click();
    await page.getByText('The window is closed: the service accepts').waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Send as the business' }).click();
    await page.getByRole('article', { name: 'From the business' }).getByText('Hello').waitFor();
  });

  it('say that there is a new message below what one reads, and lead to it', async ({ world }) => {
    for (let turn = 0; turn < 25; turn += 1) await world.inbound(ada, { text: `Number ${turn}` });
    const page = await open(served.url, `/${world.key}/conversations/${ada}`);
    const wall = page.getByRole('log', { name: 'Messages' });
    await wall.getByText('Number 24').waitFor();
    const scrolled = () => page.evaluate<number>("document.querySelector('.wall').scrollTop");
    const newer = page.getByRole('button', { name: 'New message', exact: true });
    await wall.hover();
    await page.mouse.wheel(0, -600);
    await expect.poll(scrolled).toBeLessThan(-300);
    expect(await newer.count()).toBe(0);
    await world.inbound(ada, { text: 'Are you still there?' });
    await newer.click();
    await expect.poll(scrolled).toBe(0);
    await newer.waitFor({ state: 'detached' });
  });

  it('say below the bubble why it failed, and let the channel report', async ({ world }) => {
    await world.text(ada, 'Lost');
    const page = await open(served.url, `/${world.key}/conversations/${ada}`);
    const bubble = page.getByRole('article', { name: 'From the business' });
    await bubble.hover();
    await bubble.getByRole('button', { name: 'Message actions' }).click();
    await page.getByRole('button', { name: 'Fail with …' }).click();
    await page.getByRole('button', { name: /^not_delivered_by_channel/ }).click();
    await bubble.getByText('not_delivered_by_channel 131049').click();
    await bubble.getByText(/chose not to deliver/).waitFor();
  });

  it('keep a draft through a reload, and show any script as text', async ({ world }) => {
    const text = 'שלום <b>x</b> \u202eabc 👩‍👩‍👧 ' + 'long'.repeat(300);
    await world.inbound(ada, { text, profile_name: '<i>Ada</i>' });
    const page = await open(served.url, `/${world.key}/conversations/${ada}`, { width: 390 });
    await page.getByRole('article', { name: 'From the customer' }).getByText('<b>x</b>').waitFor();
    await page.getByRole('textbox', { name: 'Write as the customer' }).fill('Not sent yet');
    await page.reload();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Write as the customer' }).inputValue())
      .toBe('Not sent yet');
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });

  it('begin with a new customer', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/conversations`);
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByRole('textbox', { name: 'First message' }).fill('Hello?');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByRole('article', { name: 'From the customer' }).getByText('Hello?').waitFor();
    expect(await world.items('/_sandbox/customers')).toHaveLength(1);
  });

  // The last one: the clock that it stops is that of every tab of this file.
  it('contradict no toast: what one has done is read without any pause', async ({ world }) => {
    await world.inbound(ada);
    const page = await open(served.url, `/${world.key}/scenario`);
    await page.clock.install();
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/conversations/${ada}`);
    await page.locator('[data-connection="live"]').waitFor();
    await page.getByText('Window open, 24 h left').waitFor();
    // From here, hardly any time passes for the page: a read that paused would never be made.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.getByRole('button', { name: 'Close window' }).click();
    await page.getByText('Window closed', { exact: true }).waitFor();
    await page.clock.runFor(300);
    await page.getByRole('button', { name: 'Open window' }).click();
    await page.getByText('Window open, 24 h left').waitFor();
    await page.close();
  });
});
