/** What surrounds the six places: header, clock, account, search, connection, and how it is built. */
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { describeInBrowser, useServedPage } from '../support/browser.js';
import { startCli } from '../support/cli.js';
import { closing } from '../support/closing.js';

const ada = '+12025550110';

/** Bytes on the wire of everything that the first view loads. */
const mostFirstViewBytes = 60_000;

/** Returns the size of a response as a browser gets it. */
function bytesOf(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip, deflate, br' };
    get(url, { headers }, (response) => void buffer(response).then(({ length }) => resolve(length), reject));
  });
}

/** The contrast ratio of two colours such as `rgb(23, 32, 31)`, by WCAG. */
function contrast(colours: readonly string[]): number {
  const [dark = 0, light = 0] = colours
    .map((colour) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The texts in the rows of a list of which a part is cut off. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('tbody :is(td, a, .sub)')]
    .filter((part) => part.scrollWidth > part.clientWidth + 1 && !/inline|contents/.test(getComputedStyle(part).display))
    .map((part) => part.textContent)`);
}

/** Returns the number of rows of the list, once it has at least so many. */
async function seenRows(page: Page, least: number): Promise<number> {
  const rows = page.locator('tbody .target');
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(least);
  return rows.count();
}

/** Scrolls the list, and returns whether it is long enough yet. */
function scrolledTo(page: Page, px: number): Promise<boolean> {
  return page.evaluate<boolean>(
    `(() => { const list = document.querySelector('.scroller'); list?.scrollTo(0, ${px}); return list?.scrollTop === ${px}; })()`,
  );
}

describeInBrowser('the shell', () => {
  const { it, open, served } = useServedPage();

  it('loads little for the first view, compressed, and nothing from elsewhere', async ({ world }) => {
    await world.inbound(ada);
    const page = await open(served.url);
    const assets: string[] = [];
    const others: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (new URL(url).origin !== served.url) others.push(url);
      if (url.includes('/assets/')) assets.push(url);
    });
    await page.goto('about:blank');
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}`);
    await page.getByRole('row', { name: ada }).waitFor();
    const bytes = (await Promise.all([page.url(), ...new Set(assets)].map(bytesOf))).reduce(
      (sum, each) => sum + each,
      0,
    );
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(mostFirstViewBytes);
    expect(others).toStrictEqual([]);
    await page.close();
  });

  it('says of each list that a read has failed, not that there is nothing', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario`, { expected: /500/ });
    // What is read when the stream connects would be read again.
    await page.locator('[data-connection="live"]').waitFor();
    for (const [place, path, what] of [
      ['messages', '/_sandbox/messages?', 'Messages'],
      ['messages/codes', '/_sandbox/otps?', 'Codes'],
      ['conversations', '/_sandbox/customers?', 'Conversations'],
      ['webhooks/deliveries', '/_sandbox/deliveries?', 'Deliveries'],
      ['webhooks/endpoints', '/_sandbox/webhooks?', 'Endpoints'],
      ['requests', '/_sandbox/requests?', 'Requests'],
      ['templates', '/_sandbox/templates?', 'Templates'],
    ] as const) {
      const isRead = ({ href }: URL) => href.includes(path);
      await page.route(isRead, (route) => route.fulfill({ status: 500, json: { error: { message: 'It broke.' } } }));
      await page.goto(`${served.url}/_sandbox/ui#/${world.key}/${place}`);
      await page.getByRole('alert').getByText(`${what} could not be read. It broke.`).waitFor();
      expect(await page.getByRole('heading', { name: /^No .* yet$/ }).count(), place).toBe(0);
      await page.unroute(isRead);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: /^No .* yet$/ }).waitFor();
      expect(await page.getByRole('alert').count(), place).toBe(0);
    }
  });

  it('has disabled buttons that one can read, even under the mouse', async ({ world }) => {
    await world.inbound(ada);
    const page = await open(served.url, `/${world.key}/conversations/${ada}`);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      const send = page.getByRole('button', { name: 'Send as the customer' });
      await send.hover();
      const style = "getComputedStyle(document.querySelector('.composer .primary'))";
      const colours = await page.evaluate<string[]>(`[${style}.color, ${style}.backgroundColor]`);
      expect(contrast(colours), theme).toBeGreaterThan(4.5);
    }
  });

  it('shows in 720, 390 and 320 pixels what matters in a row, and nothing covers another', async ({ world }) => {
    await world.call('POST', '/v1/messages', { to: ada, type: 'text', text: '' });
    await world.text(ada, 'On its way');
    await world.advance('25h');
    const page = await open(served.url, `/${world.key}/requests`);
    for (const width of [720, 390, 320]) {
      await page.setViewportSize({ width, height: 640 });
      await page.getByRole('link', { name: /^Requests/ }).click();
      const row = page.getByRole('row', { name: /400/ });
      for (const words of ['POST /v1/messages', '400', '1 Mar 09:00']) {
        await row.getByText(words).first().waitFor();
        expect((await cutTexts(page)).filter((cut) => cut.includes(words))).toStrictEqual([]);
      }
      await page.getByRole('link', { name: /^Messages/ }).click();
      await page
        .getByRole('row', { name: /On its way/ })
        .getByText(ada)
        .waitFor();
      expect((await cutTexts(page)).filter((cut) => cut.includes(ada))).toStrictEqual([]);
      const places = page.getByRole('navigation', { name: 'Places' }).getByRole('link');
      const boxes = await Promise.all((await places.all()).map((link) => link.boundingBox()));
      expect(boxes.map((box) => box !== null && box.x >= 0 && box.x + box.width <= width)).toStrictEqual(
        Array.from({ length: 6 }, () => true),
      );
      const named = await page.evaluate<number>(`[...document.querySelectorAll('.nav .word')].filter((word) => {
        const { left, top, width, height } = word.getBoundingClientRect();
        return word.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      }).length`);
      expect(named).toBe(6);
      const banner = page.getByRole('banner');
      const chip = await banner.getByRole('button', { name: /^Account/ }).boundingBox();
      const clock = await page.getByRole('region', { name: 'Clock' }).boundingBox();
      expect((chip?.x ?? 0) + (chip?.width ?? 0)).toBeLessThanOrEqual(clock?.x ?? 0);
    }
  });

  it('keeps a row where it is when it is opened, and when it is closed, even on a phone', async ({ world }) => {
    for (let turn = 0; turn < 60; turn += 1) await world.inbound(ada, { text: `Number ${turn}` });
    const page = await open(served.url, `/${world.key}/messages`, { width: 1280, height: 800 });
    const rowOf = (number: number) => page.getByRole('row', { name: new RegExp(`Number ${number}\\b`) });
    const topOf = async (number: number) => (await rowOf(number).boundingBox())?.y ?? 0;
    for (const index of [6, 30]) {
      await expect.poll(() => scrolledTo(page, Math.max(0, index - 10) * 36)).toBe(true);
      const row = rowOf(59 - index);
      await row.waitFor();
      const before = await topOf(59 - index);
      await row.getByRole('link').click();
      await page.getByRole('article').waitFor();
      const near = async () => Math.abs((await topOf(59 - index)) - before);
      await expect.poll(near).toBeLessThan(12);
      await page.getByRole('link', { name: 'Close' }).click();
      await page.getByRole('article').waitFor({ state: 'detached' });
      await expect.poll(near).toBeLessThan(12);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => scrolledTo(page, 20 * 44)).toBe(true);
    await rowOf(34).waitFor();
    const before = await topOf(34);
    await rowOf(34).getByRole('link').click();
    await page.getByRole('article').waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await expect.poll(async () => Math.abs((await topOf(34)) - before)).toBeLessThan(2);
    await rowOf(34).getByRole('link').click();
    await page.getByRole('article').waitFor();
    await page.keyboard.press('Escape');
    await rowOf(34).waitFor();
    // Another filter starts at the top of its list.
    await page.getByRole('link', { name: /^Received/ }).click();
    await rowOf(59).waitFor();
    expect(await page.evaluate("document.querySelector('.scroller').scrollTop")).toBe(0);
  });

  it('leads from an address that names no place to the messages', async ({ world }) => {
    await world.inbound(ada, { text: 'Here I am' });
    const page = await open(served.url, `/${world.key}/nowhere/at-all`);
    await page.getByRole('row', { name: /Here I am/ }).waitFor();
    expect(page.url()).toContain(`#/${world.key}/messages`);
  });

  it('switches accounts, and keeps the place', async ({ world }) => {
    const other = served.world();
    await other.inbound(ada);
    const page = await open(served.url, `/${world.key}/conversations`);
    await page.getByRole('button', { name: `Account ${world.key}` }).click();
    await page
      .getByRole('textbox', { name: 'Find an account' })
      .or(page.getByRole('searchbox'))
      .first()
      .fill(other.key);
    await page.getByRole('button', { name: new RegExp(`^${other.key}`) }).click();
    await page.getByRole('heading', { name: /\S/ }).first().waitFor();
    expect(page.url()).toContain(`#/${other.key}/conversations`);
    await page.getByRole('button', { name: `Account ${other.key}` }).waitFor();
  });

  it('moves the clock by an hour, or as typed, and says what happened', async ({ world }) => {
    await world.text(ada);
    const page = await open(served.url, `/${world.key}/messages`);
    await page.getByRole('button', { name: '+1 h' }).click();
    await page.getByRole('region', { name: 'Result of the advance' }).getByText('Advanced 1 h to 10:00:00').waitFor();
    await page.getByText('2 status reports').waitFor();
    await page.getByRole('button', { name: 'Clock and pending jobs' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Advance by or to');
    await page.keyboard.type('yesterday');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Invalid time "yesterday"').waitFor();
    await page.getByRole('textbox', { name: 'Advance by or to' }).fill('12:00');
    await page.keyboard.press('Enter');
    await page.getByText('Advanced 2 h to 12:00:00').waitFor();
    await page.getByRole('button', { name: '+24 h' }).click();
    await page.getByText('Advanced 24 h to 2 Mar 12:00:00').waitFor();
  });

  it('lists the job that is due first, even after a thousand that are due later', async ({ world }) => {
    await world.template('order_shipped');
    // A magic number that gets its messages after 25 hours.
    const many = Array.from({ length: 100 }, () => '+12025550104');
    for (let turn = 0; turn < 11; turn += 1) await world.send(many, 'order_shipped');
    await world.advance('1m');
    await world.send(ada, 'order_shipped');
    const page = await open(served.url, `/${world.key}/messages`);
    await page.getByRole('button', { name: 'Clock and pending jobs' }).click();
    await page.locator('.jobs li').first().getByText(`to ${ada}`).waitFor();
  });

  it('resets without a question, and undoes it', async ({ world }) => {
    await world.text(ada, 'Before the reset');
    const page = await open(served.url, `/${world.key}/messages`, { width: 390 });
    await page.getByRole('row', { name: /Before the reset/ }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: /^Reset account/ }).click();
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    const toast = page.getByText(`${world.key} is reset.`);
    await toast.waitFor();
    // Nothing that one is about to press moves away.
    expect((await page.getByRole('banner').boundingBox())?.y).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row', { name: /Before the reset/ }).waitFor();
  });

  it('lets the arrow key into a menu, and Escape back to its button', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/messages`);
    await page.getByRole('button', { name: 'Menu' }).focus();
    await page.keyboard.press('ArrowDown');
    const focused = () => page.evaluate('document.activeElement.textContent');
    await expect.poll(focused).toContain('Reset account');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('Snapshots');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Menu');
  });

  it('deletes an account, which then stays deleted', async ({ world }) => {
    await world.text(ada);
    const other = served.world();
    await other.inbound(ada);
    const page = await open(served.url, `/${world.key}/messages`);
    await page.getByRole('row', { name: ada }).waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Delete account …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`The account ${world.key} is deleted.`).waitFor();
    const keys = (await other.items<{ key: string }>('/_sandbox/accounts')).map(({ key }) => key);
    expect(keys).not.toContain(world.key);
  });

  it('takes and restores a snapshot', async ({ world }) => {
    await world.text(ada, 'Saved');
    const page = await open(served.url, `/${world.key}/messages`);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Snapshots …' }).click();
    await page.getByRole('button', { name: 'Take snapshot' }).click();
    await world.text(ada, 'Later');
    await page.getByRole('button', { name: 'Restore snapshot-1' }).click();
    await page.getByText(`${world.key} is as it was in snapshot-1.`).waitFor();
    expect((await world.items('/_sandbox/messages')).length).toBe(1);
  });

  it('finds a message by its text, and opens it with Enter; Escape closes at once', async ({ world }) => {
    await world.text(ada, 'Order 4711 has left');
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByRole('row', { name: /v1\/messages/ }).waitFor();
    await page.keyboard.press('Control+K');
    const box = page.getByRole('combobox', { name: 'Search everything' });
    await box.fill('nothing like it');
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await box.fill('4711');
    await page
      .getByRole('option', { name: /Order 4711/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Text to ${ada}` }).waitFor();
  });

  it('leads into the open item and back by keyboard; the list is one tab stop', async ({ world }) => {
    for (const text of ['One', 'Two', 'Three']) await world.text(ada, text);
    const page = await open(served.url, `/${world.key}/messages`);
    await page.getByRole('row', { name: /Three/ }).waitFor();
    expect(await page.locator('.target[tabindex="0"]').count()).toBe(1);
    await page.locator('.target').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const title = page.getByRole('heading', { name: `Text to ${ada}` });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain(await title.textContent());
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-current")')).toBe('true');
  });

  it('separates in each list what is new since one looked', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.status']);
    await world.text(ada, 'Old');
    await world.advance('1s');
    const page = await open(served.url, `/${world.key}/messages`);
    const places = page.getByRole('navigation', { name: 'Places' });
    const goTo = (place: string) => places.getByRole('link', { name: new RegExp(`^${place}`) }).click();
    const before: number[] = [];
    const lists = ['Messages', 'Requests', 'Webhooks'];
    for (const place of lists) {
      await goTo(place);
      before.push(await seenRows(page, 1));
      expect(await page.locator('tr.seen').count(), place).toBe(0);
    }
    await goTo('Scenario');
    await page.getByRole('heading', { name: 'No scenario is active' }).waitFor();
    await world.reply(ada, 'New');
    await world.idle();
    for (const [at, count] of before.entries()) {
      await goTo(lists[at] ?? '');
      const all = await seenRows(page, count + 1);
      const line = await page.locator('tr.seen').getAttribute('aria-rowindex');
      expect(Number(line) - 2, lists[at]).toBe(all - count);
    }
  });

  it('moves with j and k: into the list, and from one open item to the next', async ({ world }) => {
    for (const text of ['One', 'Two', 'Three']) await world.text(ada, text);
    const page = await open(served.url, `/${world.key}/messages`);
    await page.getByRole('row', { name: /Three/ }).waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('target');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const item = page.getByRole('article');
    await item.getByText('Two').waitFor();
    await page.keyboard.press('j');
    await item.getByText('One').waitFor();
    await page.keyboard.press('k');
    await item.getByText('Two').waitFor();
    await page.keyboard.press('k');
    await item.getByText('Three').waitFor();
  });

  it('finds customers first, and no id that has the letters by chance', async ({ world }) => {
    await world.inbound(ada, { profile_name: 'Ada', text: 'Where is it?' });
    const id = await world.text(ada, 'On its way');
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByRole('row', { name: /v1\/messages/ }).waitFor();
    await page.keyboard.press('/');
    const box = page.getByRole('combobox', { name: 'Search everything' });
    await box.fill('ada');
    await expect
      .poll(() => page.getByRole('listbox', { name: 'Results' }).getByRole('option').first().innerText())
      .toContain('Ada');
    await box.fill(id.slice(0, 3));
    await expect.poll(() => page.getByRole('option', { name: /On its way/ }).count()).toBe(0);
    await box.fill(id.slice(0, 8));
    await page.getByRole('option', { name: /On its way/ }).waitFor();
  });

  it('heals itself after a restart, says that the data is gone, and keeps what was typed', async () => {
    const port = '0';
    const first = await startCli(['--port', port]);
    closing({ close: () => first.stop() });
    const page = await open(first.url, `/again/conversations/${ada}`, { expected: /ERR_|WebSocket|Failed to load/ });
    await page.getByRole('textbox', { name: 'Write as the customer' }).fill('Half a thought');
    await page.locator('[data-connection="live"]').waitFor();
    await first.stop();
    await page.getByText('The sandbox does not respond.').first().waitFor();
    const second = await startCli(['--port', new URL(first.url).port]);
    closing({ close: () => second.stop() });
    await page.getByText('everything before that is gone').waitFor();
    await page.getByText('The sandbox does not respond.').first().waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Write as the customer' }).inputValue()).toBe('Half a thought');
  });

  it('asks for the control token, and then shows the place of the address', async () => {
    const server = await startCli(['--control-token', 'let-me-in']);
    closing({ close: () => server.stop() });
    const page = await open(server.url, '/test_default/requests', { expected: /401/ });
    await page
      .getByRole('textbox', { name: 'Control token' })
      .or(page.locator('input[type=password]'))
      .first()
      .fill('wrong');
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page.getByText('That is not the token of this sandbox.').waitFor();
    await page.locator('input[type=password]').fill('let-me-in');
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
  });
});
