import { expect } from 'vitest';
import { describeInBrowser, useServedPage } from '../support/browser.js';

interface Template {
  readonly name: string;
  readonly status: string;
  readonly rejection_reason: string | null;
}

describeInBrowser('templates', () => {
  const { it, open, served } = useServedPage();

  it('are approved in the list with one click', async ({ world }) => {
    await world.template('order_shipped', {}, false);
    const page = await open(served.url, `/${world.key}/templates`);
    await page.getByRole('button', { name: 'Approve order_shipped' }).click();
    await page.getByText('order_shipped is approved.').waitFor();
    const [template] = await world.items<Template>('/_sandbox/templates');
    expect(template?.status).toBe('approved');
  });

  it('are rejected with a usual reason', async ({ world }) => {
    const id = await world.template('order_shipped', {}, false);
    const page = await open(served.url, `/${world.key}/templates/${id}`);
    await page.getByRole('article').getByRole('button', { name: 'Reject …' }).click();
    await page
      .getByRole('radio', { name: /wrong: the content is marketing|not in the chosen language/ })
      .last()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByRole('article').getByText('The body is not in the chosen language.').waitFor();
    const [template] = await world.items<Template>('/_sandbox/templates');
    expect(template).toMatchObject({ status: 'rejected', rejection_reason: 'The body is not in the chosen language.' });
  });

  it('are previewed with samples that one can change, paused and resumed', async ({ world }) => {
    const id = await world.template('order_shipped', { body: 'Hi {{1}}, order {{2}} left.' });
    const page = await open(served.url, `/${world.key}/templates/${id}`);
    const phone = page.getByRole('region', { name: 'On a phone' });
    await phone.getByText('Hi sample 1, order sample 2 left.').waitFor();
    await phone.getByRole('textbox', { name: '{{1}}' }).fill('Grace');
    await phone.getByText('Hi Grace, order sample 2 left.').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  });

  it('are submitted as the business does, and an error is shown where it was made', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/templates`, { expected: /400/ });
    await page.getByRole('button', { name: 'New template' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Not Valid');
    await page.getByRole('button', { name: 'Submit template' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText(/name/i).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('gift_card');
    await page.getByRole('button', { name: 'Submit template' }).click();
    await page.getByRole('heading', { name: 'gift_card' }).waitFor();
    expect(await world.items<Template>('/_sandbox/templates')).toMatchObject([
      { name: 'gift_card', status: 'pending' },
    ]);
  });
});
