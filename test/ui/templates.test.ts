import { expect } from 'vitest';
import { accessFaults, describeInBrowser, liesWithin, looksOf, useServedPage } from '../support/browser.js';

const ada = '+12025550110';

describeInBrowser('the templates', () => {
  const { it, open, served } = useServedPage();

  it('show what is submitted as it comes, and count it', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/templates`);
    await page.getByText('No templates yet').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await world.template('order_shipped_slow', {}, false);
    await page.getByRole('heading', { name: 'Pending review 1' }).waitFor();
    await page.getByText('approved automatically in 24 h').waitFor();
    await page.getByRole('navigation', { name: 'Panels' }).getByText('1 waiting').waitFor();
    await world.advance('23h');
    await page.getByText('approved automatically in 1 h').waitFor();
    await world.advance('1h');
    await page.getByRole('heading', { name: 'Approved 1' }).waitFor();
    expect(await page.getByRole('button', { name: /Approve/ }).count()).toBe(0);
  });

  it('show the state beside a name that has no end', async ({ world }) => {
    await world.template(`${'a_'.repeat(200)}never`, {}, false);
    const page = await open(served.url, `/${world.key}/templates`);
    const list = page.getByRole('region', { name: 'Templates' });
    expect(await liesWithin(list.getByText('pending', { exact: true }), list)).toBe(true);
  });

  it('are approved with the keyboard alone', async ({ world }) => {
    const id = await world.template('order_shipped_never', {}, false);
    const page = await open(served.url, `/${world.key}/templates`);
    await page.getByRole('link', { name: 'order_shipped_never' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search templates' }).focus();
    // From the name to the button.
    for (let count = 0; count < 2; count += 1) await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    expect(await focused.getAttribute('aria-label')).toBe('Approve order_shipped_never');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approved 1' }).waitFor();
    // The focus stays where the decision was made.
    await expect.poll(() => focused.innerText()).toBe('order_shipped_never');
    expect(await world.get(`/_sandbox/templates/${id}`)).toMatchObject({ status: 'approved' });
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Template order_shipped_never' }).waitFor();
  });

  it('are rejected with a usual reason or with one’s own, and the event says so', async ({ world }) => {
    const id = await world.template('win_back_never', {}, false);
    const page = await open(served.url, `/${world.key}/templates/${id}`);
    const desk = page.getByRole('article', { name: 'Template win_back_never' });
    await desk.getByText('It stays pending until you approve or reject it').waitFor();
    await desk.getByRole('button', { name: 'Reject …' }).click();
    await page.getByRole('radio', { name: /asks for a password/ }).check();
    const words = page.getByRole('textbox', { name: 'Reason' });
    expect(await words.inputValue()).toMatch(/asks for a password/);
    await words.fill('');
    expect(await page.getByRole('button', { name: 'Reject', exact: true }).isDisabled()).toBe(true);
    await words.fill('<b>Too</b> short.');
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await desk.getByText('<b>Too</b> short.').waitFor();
    const [event] = await world.events('?type=template.status');
    expect(event?.data).toMatchObject({ template_id: id, status: 'rejected', rejection_reason: '<b>Too</b> short.' });
    const told = desk.getByRole('list', { name: 'Events' }).getByRole('link', { name: 'rejected' });
    expect(await told.getAttribute('href')).toContain(`/webhooks/deliveries?q=${event?.id ?? ''}`);
  });

  it('are paused, resumed and, once one is sure, deleted', async ({ world }) => {
    const id = await world.template('order_shipped');
    const page = await open(served.url, `/${world.key}/templates/${id}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('The service rejects sends with it until it is resumed.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await world.get(`/_sandbox/templates/${id}`)).toMatchObject({ status: 'approved' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Deleted 1' }).waitFor();
    const history = page.getByRole('region', { name: 'History' }).locator('ol > li .badge');
    expect(await history.allInnerTexts()).toStrictEqual(['pending', 'approved', 'paused', 'approved', 'deleted']);
  });

  it('read on a phone with samples that one types over, kept over a reload', async ({ world }) => {
    const id = await world.template('order_shipped', {
      body: 'Hello {{1}}, order {{2}} left.',
      buttons: [{ type: 'quick_reply', text: 'Thanks' }],
    });
    const page = await open(served.url, `/${world.key}/templates/${id}`);
    const phone = page.getByRole('group', { name: 'On a phone' });
    await phone.getByText('Hello Ada, order 1042 left.').waitFor();
    await phone.getByText('Thanks').waitFor();
    await page.getByLabel('{{2}}').fill('<i>7</i>');
    await phone.getByText('Hello Ada, order <i>7</i> left.').waitFor();
    await page.reload();
    await phone.getByText('Hello Ada, order <i>7</i> left.').waitFor();
    await page.getByRole('link', { name: 'Send template' }).click();
    await page.getByText('"<i>7</i>"').first().waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Restore samples' }).click();
    await phone.getByText('Hello Ada, order 1042 left.').waitFor();
  });

  it('lead to the messages sent with them', async ({ world }) => {
    const id = await world.template('order_shipped');
    await world.template('other');
    await world.send('+12025550111', 'other');
    const page = await open(served.url, `/${world.key}/templates/${id}`);
    const sent = page.getByRole('region', { name: 'Messages', exact: true });
    await sent.getByText('Messages sent with this template appear here.').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await world.send(ada, 'order_shipped', ['77']);
    await sent.getByText('Order 77 left').waitFor();
    expect(await sent.getByRole('link').count()).toBe(1);
    await sent.getByRole('link', { name: ada }).click();
    await page.getByRole('article', { name: 'From the account' }).getByText('Order 77 left').waitFor();
  });

  it('say so where there is none of that name', async ({ world }) => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const page = await open(served.url, `/${world.key}/templates/${unknown}`, { expected: /404/ });
    await page.getByText('This template does not exist').waitFor();
  });

  it.each(looksOf('templates'))('have no serious violation of accessibility: $name', async (look) => {
    const world = served.world();
    await world.template('a_never', {}, false);
    await world.template('b');
    const id = await world.template(
      'c_slow',
      { body: 'Hi {{1}}', buttons: [{ type: 'quick_reply', text: 'Yes' }] },
      false,
    );
    const page = await open(served.url, `/${world.key}/templates`, look);
    await page.getByRole('link', { name: 'a_never' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/templates/${id}`);
    const desk = page.getByRole('article', { name: 'Template c_slow' });
    await desk.getByRole('button', { name: 'Reject …' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await desk.getByRole('button', { name: 'Reject …' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
