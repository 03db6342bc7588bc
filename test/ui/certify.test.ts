import { expect, it } from 'vitest';
import { genuine, SECRET, startReceiver } from '../certify/receiver.js';
import { closing } from '../support/closing.js';
import { accessFaults, describeInBrowser, useServedPage } from '../support/browser.js';
import type { Control } from '../support/client.js';

const ada = '+12025550110';

describeInBrowser('the health of an endpoint', () => {
  const { open, served } = useServedPage();

  it('certifies it and says which check failed; the plot of response times works by keyboard', async () => {
    // It believes what has no signature.
    const receiver = closing(
      await startReceiver({
        believes: (signature, raw) => signature === undefined || genuine(signature, raw),
      }),
    );
    const world = served.world();
    const { id } = await world.post<Control['Endpoint']>('/_sandbox/webhooks', {
      url: receiver.url.replace('http:', 'https:'),
      events: ['message.received'],
      secret: SECRET,
    });
    for (const text of ['one', 'two', 'three']) await world.inbound(ada, { text });
    await world.idle();
    const page = await open(served.url, `/${world.key}/webhooks/endpoints/${id}`);
    const card = page.getByRole('region', { name: 'Health' });
    await card.getByRole('button', { name: 'Certify' }).focus();
    await page.keyboard.press('Enter');
    await card.getByText('Not certified').waitFor();
    await card.getByText(/\d+ of \d+ checks passed, \d+ of \d+ required/).waitFor();
    const failed = card.getByRole('list', { name: 'Failed checks' });
    const link = failed.getByRole('link', { name: 'Rejects an event without a signature' });
    await failed.getByText(/accepted with 204/).waitFor();
    const [path = '', anchor = ''] = ((await link.getAttribute('href')) ?? '').split('#');
    expect(await (await fetch(served.url + path)).text()).toContain(`id="${anchor}"`);
    expect(await accessFaults(page)).toStrictEqual([]);
    // The events of the checks are no deliveries of the account.
    expect(await world.deliveries()).toHaveLength(3);

    const plot = card.getByRole('group', { name: /Response times of 3 attempts/ });
    const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
    await plot.locator('a[tabindex="0"]').focus();
    const latest = await focused();
    expect(latest).toMatch(/: 204, \d+ ms$/);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    const second = await plot.locator('a').nth(1).getAttribute('href');
    expect(await page.locator(':focus').getAttribute('href')).toBe(second);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(second?.slice(second.indexOf('#')) ?? 'nothing');
  });
});
