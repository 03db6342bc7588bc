import { expect } from 'vitest';
import { describeInBrowser, looksOf, accessFaults, useServedPage } from '../support/browser.js';

const ada = '+12025550110';

describeInBrowser('the coverage panel', () => {
  const { it, open, served } = useServedPage();

  it('fills a tile when a call is made, and counts on', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/coverage`);
    const hollow = page.getByRole('button', { name: 'operation sendMessage 2xx never exercised' });
    await hollow.waitFor();
    await page.getByText(/^0 of \d+ exercised$/).waitFor();
    expect(await hollow.getAttribute('class')).toContain('shade-0');
    await world.text(ada);
    const filled = page.getByRole('button', { name: 'operation sendMessage 2xx 1 hit' });
    await filled.waitFor();
    expect(await filled.getAttribute('class')).toContain('shade-1');
    await world.text(ada);
    await page.getByRole('button', { name: 'operation sendMessage 2xx 2 hits' }).waitFor();
    expect(await page.getByText(/^0 of/).count()).toBe(0);
  });

  it('tells on hover what would exercise a hollow tile, keeps it by click, and activates the scenario', async ({
    world,
  }) => {
    const page = await open(served.url, `/${world.key}/coverage`);
    const detail = page.getByRole('complementary', { name: 'The tile' });
    await page.getByRole('button', { name: 'template state paused never exercised' }).hover();
    await detail.getByText('scenario template-paused-midway').waitFor();
    await page.getByRole('button', { name: 'OTP state locked never exercised' }).click();
    await detail.getByRole('button', { name: 'Copy +12025550162' }).waitFor();
    await page.reload();
    await detail.getByRole('heading', { name: 'locked' }).waitFor();
    await detail.getByRole('button', { name: 'Activate otp-trouble' }).click();
    await page.getByRole('link', { name: /Responses are affected by otp-trouble/ }).waitFor();
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: 'otp-trouble' });
  });

  it('goes from tile to tile by the arrow keys', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/coverage`);
    await page.getByRole('button', { name: /^operation sendMessage 2xx/ }).focus();
    const focused = () => page.evaluate('document.activeElement.dataset.tile');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('outcome/sendMessage 400');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('outcome/getMessage 400');
    await page.getByRole('complementary').getByRole('heading', { name: 'getMessage 400' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('error code/validation_error');
  });

  it.each(looksOf('coverage'))('has no violation of accessibility: $name', async (look) => {
    const world = served.world();
    for (let count = 0; count < 20; count += 1) await world.text(ada);
    await world.inbound(ada);
    await world.advance('1m');
    const page = await open(served.url, `/${world.key}/coverage/OTP state/locked`, look);
    await page.getByRole('button', { name: 'message state read 20 hits' }).waitFor();
    await page.getByRole('button', { name: 'Activate otp-trouble' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
  });
});
