import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeInBrowser, useServedPage } from '../support/browser.js';

const ada = '+12025550110';
/** Time limit of a step on a busy machine. */
const patient = { timeout: 12_000 };

/** Returns the focused element, by its label or its text. */
const focused = (page: Page) =>
  page.evaluate<string>(
    `(({ tagName, ariaLabel, labels, innerText }) =>
      tagName === 'BODY' ? 'nothing' : ariaLabel ?? labels?.[0]?.innerText ?? innerText.trim())(document.activeElement)`,
  );

describeInBrowser('the focus', () => {
  const { it, open, served } = useServedPage();

  it('stays at a button of the clock, so that one can go on', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset`);
    await page.getByText('Live', { exact: true }).waitFor();
    const face = page.getByRole('button', { name: 'Clock and pending jobs' });
    await page.getByRole('button', { name: '+1 h' }).focus();
    await page.keyboard.press('Enter');
    await face.getByText('10:00:00').waitFor();
    await page.keyboard.press('Enter');
    await face.getByText('11:00:00').waitFor();
    await world.text(ada);
    await page.getByRole('button', { name: 'To the next job' }).focus();
    await face.getByText('pending', { exact: false }).last().waitFor();
    await page.keyboard.press('Enter');
    await face.getByText('11:00:00').waitFor();
    await world.advance('1h');
    await page.locator('[aria-label="To the next job"][aria-disabled="true"]').first().waitFor();
    expect(await focused(page)).toBe('To the next job');
  });

  it('stays in a row, however many come above it', async ({ world }) => {
    await world.call('GET', '/v1/templates');
    const page = await open(served.url, `/${world.key}/requests`);
    const row = page.getByRole('link', { name: /GET \/v1\/templates/ });
    await row.focus();
    for (let count = 0; count < 60; count += 1) await world.call('GET', '/v1/nothing');
    await page.getByText('61 calls').waitFor();
    expect(await focused(page)).toContain('/v1/templates');
    expect(await page.getByRole('row').count()).toBeLessThan(50);
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'GET /v1/templates' }).waitFor();
  });

  it('goes from a row into what it opens, past all other rows, and back', async ({ world }) => {
    for (let count = 0; count < 5; count += 1) await world.call('GET', `/v1/templates`);
    await world.inbound(ada, { profile_name: 'Ada' });
    await world.inbound('+12025550111', { profile_name: 'Grace' });
    const page = await open(served.url, `/${world.key}/requests`);
    const row = page.getByRole('link', { name: /GET \/v1\/templates/ }).nth(2);
    await row.focus();
    for (const already of [false, true]) {
      await page.keyboard.press('Enter');
      await page.getByRole('article', { name: 'GET /v1/templates' }).waitFor();
      await page.keyboard.press('Tab');
      expect(await focused(page), String(already)).toBe('Close request');
      await page.keyboard.press('Escape');
      expect(await page.locator(':focus').getAttribute('href')).toBe(await row.getAttribute('href'));
    }
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/handset`);
    await page.getByRole('link', { name: /Ada/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page), patient).toBe('Message');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toContain('Ada');
    // After a click, the focus stays at the clicked element.
    await page.getByRole('link', { name: /Grace/ }).click();
    await page.getByRole('heading', { name: 'Grace' }).waitFor();
    expect(await focused(page)).toContain('Grace');
  });

  it('goes through a list in one step, and between its rows by arrows or j and k', async ({ world }) => {
    for (let count = 0; count < 20; count += 1) await world.call('GET', `/v1/templates?limit=${count + 1}`);
    for (let last = 10; last < 40; last += 1) await world.inbound(`+120255501${last}`);
    for (const name of ['one', 'two']) {
      await world.post('/v1/templates', { name, category: 'utility', language: 'en', body: 'Hello' });
    }
    const page = await open(served.url, `/${world.key}/requests`);
    const current = () => page.evaluate<string>('document.activeElement.closest(".virtual-row")?.innerText ?? ""');
    await page.getByRole('searchbox', { name: 'Search requests' }).focus();
    const stops: string[] = [];
    for (let tab = 0; tab < 12; tab += 1) {
      await page.keyboard.press('Tab');
      stops.push(await current());
    }
    expect(stops.filter((row) => row !== '')).toHaveLength(1);

    await page.locator('.row-link').first().focus();
    const first = await current();
    await page.keyboard.press('ArrowDown');
    const second = await current();
    expect(second).not.toBe(first);
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await current()).toBe(second);
    await page.keyboard.press('ArrowUp');
    expect(await current()).toBe(first);
    await page.keyboard.press('Enter');
    await page.getByRole('article').waitFor();

    // A row with buttons is still one tab stop of its list: Tab reaches them from the row.
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/templates`);
    await page.getByRole('link', { name: 'two' }).focus();
    await page.keyboard.press('Tab');
    expect(await current()).toContain('two');
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/handset`);
    await page.locator('.conversation-entry').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const entry = await page.locator('.conversation-entry').nth(1).getAttribute('href');
    expect(await page.locator(':focus').getAttribute('href')).toBe(entry);
  });

  it('goes to the neighbour of what was removed', async ({ world }) => {
    for (const id of ['one', 'two', 'three']) {
      await world.post('/_sandbox/rules', { id, when: 'message.send', then: { respond: { status: 503 } } });
    }
    const page = await open(served.url, `/${world.key}/scenario`);
    for (const [removed, next] of [
      ['two', 'Remove one'],
      ['one', 'Remove three'],
      // A text field gets the focus only if there is nothing else.
      ['three', 'Add rule'],
    ] as const) {
      const button = page.getByRole('button', { name: `Remove ${removed}` });
      await button.focus();
      await page.keyboard.press('Enter');
      await button.waitFor({ state: 'detached' });
      expect(await focused(page)).toBe(next);
    }
  });

  it('goes to the neighbour of what was switched off, and into the panel that took the place of another', async ({
    world,
  }) => {
    const page = await open(served.url, `/${world.key}/scenario/library`);
    await page.getByRole('button', { name: 'Activate happy-path' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page), patient).toMatch(/^Open in the editor/);
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/codes`);
    await page.getByText('No codes yet').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });

  it('is let go by a click beside everything', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario/library`);
    await page.getByRole('button', { name: 'Activate happy-path' }).focus();
    await page.locator('.brand').click();
    await world.put('/_sandbox/scenario', { name: 'happy-path' });
    await page.getByRole('heading', { name: 'happy-path' }).waitFor();
    expect(await focused(page)).toBe('nothing');
  });

  it('stays in a menu whose content changes, and comes back from it', async ({ world }) => {
    await world.text(ada);
    const page = await open(served.url, `/${world.key}/handset/${ada}`);
    await page.getByRole('button', { name: 'Message actions' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page), patient).toBe('Mark delivered');
    await page.getByRole('button', { name: 'Fail with …' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page), patient).toBe('Fail with');
    const box = await page.getByRole('dialog', { name: 'Message actions' }).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page), patient).toBe('Message actions');
  });

  it('begins in the first field of a dialog, and comes back from it', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset`);
    await page.getByRole('button', { name: 'New customer' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page), patient).toBe('Number');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page), patient).toBe('New customer');
  });

  it('leaves a dialog open where a selection ends beside it, and closes it by a click there', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset`);
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByLabel('Number').hover();
    await page.mouse.down();
    await page.mouse.move(20, 300, { steps: 3 });
    await page.mouse.up();
    await page.getByLabel('Name').fill('Ada');
    await page.mouse.click(20, 300);
    await page.getByRole('dialog', { name: 'New customer' }).waitFor({ state: 'detached' });
  });

  it('reaches a refusal above the dialog that was refused', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/webhooks/endpoints`, { expected: /status of 400/ });
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByLabel('URL', { exact: true }).fill('https://sink.sandbox/app');
    await page.getByLabel('Secret').fill('no secret');
    const dialog = page.getByRole('dialog', { name: 'Register endpoint' });
    await dialog.getByRole('button', { name: 'Register' }).click();
    await dialog.getByRole('status').getByText('whsec_').first().waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByLabel('Secret').fill('');
    await dialog.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('status').getByText('The endpoint is registered.').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('stays at the switch from account to account', async () => {
    const [one, two] = [served.world(), served.world()];
    await two.inbound(ada, { profile_name: 'Of the second' });
    const page = await open(served.url, `/${one.key}/handset`);
    await page.getByRole('button', { name: `Account ${one.key}` }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page), patient).toBe('Find an account, or enter a new key');
    await page.keyboard.type(two.key);
    await page.keyboard.press('Enter');
    await page.getByText('Of the second').waitFor();
    expect(await focused(page)).toBe(`Account ${two.key}`);
  });

  it('goes from a tile to what would exercise it, and back', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/coverage`);
    const tile = page.getByRole('button', { name: 'OTP state locked never exercised' });
    await tile.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Activate otp-trouble' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Activate otp-trouble');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toContain('locked');
    await page.getByRole('heading', { name: 'locked' }).waitFor();
  });
});
