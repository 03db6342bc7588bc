import { expect, it } from 'vitest';
import { describeInBrowser, looksOf, accessFaults, useServedPage } from '../support/browser.js';
import type { Control } from '../support/client.js';

const ada = '+12025550110';
const grace = '+12025550111';

describeInBrowser('the one-time codes', () => {
  const { open, served } = useServedPage();

  const loginWorld = async () => {
    const world = served.world();
    const category = 'authentication';
    await world.template('login_code', { category, body: undefined });
    const send = async (to: string, more: object = {}) => {
      const { otp_id: id } = await world.post<{ otp_id: string }>('/v1/otp/send', { to, ...more });
      return world.get<Control['Otp']>(`/_sandbox/otps/${id}`);
    };
    return { world, send };
  };

  it('appear as they are sent, count down on the account’s clock, and expire', async () => {
    const { world, send } = await loginWorld();
    const page = await open(served.url, `/${world.key}/codes`);
    await page.getByText('No codes yet').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const { code } = await send(ada);
    const shown = page.getByRole('article', { name: `Code for ${ada}` });
    await shown.getByText(code, { exact: true }).first().waitFor();
    await shown.getByText('expires in 5 min').waitFor();
    await world.advance('4m50s');
    await shown.getByText('expires in 10 s').waitFor();
    await world.advance('10s');
    await shown.getByText('expired now').waitFor();
    await world.advance('1m');
    await shown.getByText('expired 1 min ago').waitFor();
    expect(await shown.getByText('expired', { exact: true }).count()).toBe(1);
  });

  it('are copied, lose attempts, and are verified from the page', async () => {
    const { world, send } = await loginWorld();
    const { code, otp_id: id } = await send(ada, { length: 8 });
    const wrong = code === '00000000' ? '11111111' : '00000000';
    const page = await open(served.url, `/${world.key}/codes/${id}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const shown = page.getByRole('article', { name: `Code for ${ada}` });
    await shown.getByText('5 attempts left').waitFor();
    await shown.getByRole('button', { name: 'Copy code' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(code);
    await page.getByText('Live', { exact: true }).waitFor();
    await world.post('/v1/otp/verify', { otp_id: id, code: wrong });
    await shown.getByText('4 attempts left').waitFor();
    await shown.getByRole('link', { name: 'Verify code' }).click();
    await page.getByRole('button', { name: 'Verify code' }).click();
    await page.getByRole('link', { name: id }).click();
    await shown.getByText('verified', { exact: true }).waitFor();
  });

  it('stand latest first, are found by number, and lead to the phone', async () => {
    const { world, send } = await loginWorld();
    await send(ada);
    await send(grace);
    const page = await open(served.url, `/${world.key}/codes`);
    const list = page.getByRole('region', { name: 'One-time codes' });
    const numbers = list.getByRole('link');
    await expect.poll(() => numbers.allInnerTexts()).toStrictEqual([grace, ada]);
    await page.getByRole('searchbox', { name: 'Search codes' }).fill('0110');
    await expect.poll(() => numbers.allInnerTexts()).toStrictEqual([ada]);
    await page.reload();
    await expect.poll(() => numbers.allInnerTexts()).toStrictEqual([ada]);
    await page
      .getByRole('article')
      .getByRole('link', { name: /^Message to/ })
      .click();
    await page.getByRole('article', { name: 'From the account' }).waitFor();
    expect(page.url()).toContain(`/handset/${ada}/`);
  });

  it.each(looksOf('codes'))('have no serious violation of accessibility: $name', async (look) => {
    const { world, send } = await loginWorld();
    await send(grace, { expiry_seconds: 1 });
    const { otp_id: id } = await send(ada);
    await world.advance('2s');
    const page = await open(served.url, `/${world.key}/codes`, look);
    await page.getByRole('link', { name: ada, exact: true }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/codes/${id}`);
    await page.getByRole('region', { name: 'The code' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
