import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { runningCli } from '../support/cli.js';
import { closing } from '../support/closing.js';
import { describeInBrowser, looksOf, accessFaults, useBrowser, useServedPage } from '../support/browser.js';

const ada = '+12025550110';

/** Size limit of the script of a first view with an open conversation, gzipped. Measured: 45 kB. */
const mostFirstViewBytes = 110_000;

describeInBrowser('the shell', () => {
  const { it, open, served } = useServedPage();

  it('loads little script for the first view', async ({ world }) => {
    await world.inbound(ada);
    const page = await open(served.url);
    const scripts: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.body());
    });
    await page.goto('about:blank');
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/handset/${ada}`);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const bytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body).length, 0);
    expect(scripts.length).toBeGreaterThan(3);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(mostFirstViewBytes);
    // Its listener must not hear of the tests that follow.
    await page.close();
  });

  it('helps with pages that the sandbox serves itself, and with every number where it is typed', async ({ world }) => {
    await world.register('https://sink.sandbox/app');
    await world.inbound(ada);
    await world.idle();
    const [delivery] = await world.deliveries();
    const page = await open(served.url, `/${world.key}/handset`);
    const help = new Set<string>();
    for (const [place, last] of [
      ['templates', 'web-ui.md#templates'],
      ['codes', 'web-ui.md#codes'],
      [`webhooks/deliveries/${delivery?.id ?? ''}`, 'web-ui.md#webhooks'],
      ['requests', 'web-ui.md#requests'],
      ['coverage', 'web-ui.md#coverage'],
      ['account', 'persistence.md#snapshots'],
      ['scenario/editor', 'scenarios-reference.md#keys'],
      ['scenario/magic', 'failures.md#magic-numbers'],
      ['story/message/x', 'web-ui.md#story'],
      ['handset', 'web-ui.md#handset'],
    ] as const) {
      await page.goto(`${served.url}/_sandbox/ui#/${world.key}/${place}`);
      await page.locator(`[href="/_sandbox/docs/${last}"]`).first().waitFor({ state: 'attached' });
      const links = await page.evaluate<string[]>(
        `[...document.querySelectorAll('a[href^="/_sandbox/docs"]')].map((link) => link.getAttribute('href'))`,
      );
      for (const link of links) help.add(link);
    }
    expect(help.size).toBeGreaterThan(10);
    for (const href of help) {
      const [path = '', anchor] = href.split('#');
      const response = await fetch(served.url + path);
      expect([href, response.status]).toStrictEqual([href, 200]);
      if (anchor !== undefined) expect(await response.text(), href).toContain(`id="${anchor}"`);
    }
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Help' }).click();
    const guide = await opened;
    await guide.getByRole('heading', { name: 'Handset' }).waitFor();
    expect(await accessFaults(guide)).toStrictEqual([]);
    await guide.getByRole('link', { name: 'All pages' }).click();
    await guide.getByRole('heading', { name: 'Documentation', exact: true }).waitFor();

    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByLabel('Number').fill('+1 202 555 0101');
    const { magic_numbers: magic } = await world.get<{ magic_numbers: { suffix: string; description: string }[] }>(
      '/_sandbox/info',
    );
    const meaning = magic.find(({ suffix }) => suffix === '01')?.description ?? 'nothing';
    await page
      .locator('.field', { has: page.getByLabel('Number') })
      .getByText(meaning)
      .waitFor();
  });

  it('moves the clock, and shows what is pending', async ({ world }) => {
    await world.text(ada);
    const page = await open(served.url, `/${world.key}/handset`);
    const face = page.getByRole('button', { name: 'Clock and pending jobs' });
    await face.getByText('09:00:00').waitFor();
    await face.getByText('frozen').waitFor();
    await face.click();
    await page.getByText('text: delivered, read').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'To the next job' }).click();
    await expect.poll(async () => (await world.clock()).now).toBe('2026-03-01T09:00:00.300Z');
    await page.getByRole('button', { name: '+24 h' }).click();
    await face.getByText('Mon 2 Mar 2026').waitFor();
    expect((await world.clock()).pending).toBe(0);
    await page.getByRole('button', { name: '×60' }).click();
    await face.getByText('×60').waitFor();
    await page.getByRole('button', { name: 'Freeze' }).click();
    await face.getByText('frozen').waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await face.getByText('real').waitFor();
    expect((await world.clock()).mode).toBe('real');
  });

  it('ticks between two words from the sandbox', async ({ world }) => {
    await world.put('/_sandbox/clock', { scale: 3600 });
    const page = await open(served.url, `/${world.key}/handset`);
    const face = page.locator('.clock-time');
    await page.getByText('×3600').waitFor();
    const before = await face.innerText();
    await expect.poll(() => face.innerText()).not.toBe(before);
  });

  it('shows that something is rigged, as soon as it is', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset`);
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByRole('link', { name: /Responses are affected/ }).count()).toBe(0);
    const then = { respond: { status: 503 } };
    const { id } = await world.post<{ id: string }>('/_sandbox/rules', { when: 'message.send', then });
    await page.getByRole('link', { name: 'Responses are affected by 1 rule' }).waitFor();
    await world.put('/_sandbox/scenario', { name: 'flaky-api' });
    await page.getByRole('link', { name: /Responses are affected by flaky-api/ }).waitFor();
    await world.delete(`/_sandbox/rules/${id}`);
    await world.delete('/_sandbox/scenario');
    await page.getByRole('link', { name: /Responses are affected/ }).waitFor({ state: 'detached' });
  });

  it('switches accounts, and comes back to the last one', async () => {
    const [one, two] = [served.world(), served.world()];
    await one.inbound(ada, { profile_name: 'Of the first' });
    await two.inbound(ada, { profile_name: 'Of the second' });
    const page = await open(served.url, `/${one.key}/handset`);
    await page.getByText('Of the first').waitFor();
    await page.getByRole('button', { name: `Account ${one.key}` }).click();
    await page.getByRole('searchbox', { name: /Find an account/ }).fill(two.key);
    await page.getByRole('button', { name: new RegExp(`^${two.key}`) }).click();
    await page.getByText('Of the second').waitFor();
    expect(await page.getByText('Of the first').count()).toBe(0);
    await page.goto(`${served.url}/_sandbox/ui`);
    await page.getByText('Of the second').waitFor();
    expect(page.url()).toContain(`#/${two.key}/handset`);
  });

  it('empties itself when the account is reset', async ({ world }) => {
    await world.inbound(ada, { profile_name: 'Ada' });
    const page = await open(served.url, `/${world.key}/handset`);
    await page.getByRole('link', { name: /Ada/ }).waitFor();
    await world.post('/_sandbox/reset');
    await page.getByText('No conversations yet').waitFor();
    await world.inbound(ada, { profile_name: 'Grace' });
    await page.getByRole('link', { name: /Grace/ }).waitFor();
  });

  it('says what was refused, in the words of the sandbox', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset/${ada}`, { expected: /status of 400/ });
    await page.getByRole('button', { name: 'Document' }).click();
    await page.getByRole('textbox', { name: 'File URL' }).fill('ftp://x');
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .getByRole('status')
      .getByText(/media_url/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page
      .getByText(/media_url/)
      .first()
      .waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'File URL' }).inputValue()).toBe('ftp://x');
  });

  it('has another theme at a click, and keeps it', async () => {
    const page = await open(served.url, '/test_default/handset', { theme: 'light' });
    await page.getByRole('button', { name: 'Dark theme' }).click();
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.reload();
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.getByRole('button', { name: 'Light theme' }).waitFor();
  });

  it('is reached at the root of the sandbox', async () => {
    const page = await open(served.url);
    await page.goto(served.url);
    await page.getByRole('button', { name: 'Account test_default' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/_sandbox/ui');
  });

  it.each(looksOf('shell'))('has no violation of accessibility, menus open: $name', async (look) => {
    const world = served.world();
    await world.text(ada);
    const page = await open(served.url, `/${world.key}/handset`, look);
    await page.getByRole('button', { name: 'Clock and pending jobs' }).click();
    await page.getByText('text: delivered, read').waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Account ${world.key}` }).click();
    await page.getByText('Each API key is an isolated account').waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New customer' }).click();
    await page.getByRole('dialog', { name: 'New customer' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
  });
});

describeInBrowser('the entrance', () => {
  const { open } = useBrowser();

  it('asks for the control token where there is one, and keeps it for the tab', async () => {
    const server = await runningCli(['--control-token', 'let-me-in']);
    const page = await open(server.url, '', { expected: /status of 401/ });
    await page.getByRole('dialog', { name: 'This sandbox requires a token' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    const focused = () => page.locator(':focus');
    await expect.poll(() => focused().getAttribute('type')).toBe('password');
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
    await page.getByLabel('Control token').fill('wrong');
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page.getByText('That is not the token of this sandbox.').waitFor();
    await page.getByLabel('Control token').fill('let-me-in');
    await page.getByRole('button', { name: 'Open the page' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('asks for the token again when the sandbox has another one by now', async () => {
    const first = await runningCli(['--control-token', 'before']);
    const port = new URL(first.url).port;
    const page = await open(first.url, '/worker/codes', { expected: /status of 401|WebSocket|ERR_CONNECTION/ });
    const enter = async (token: string) => {
      await page.getByLabel('Control token').fill(token);
      await page.getByRole('button', { name: 'Open the page' }).click();
      await page.getByText('Live', { exact: true }).waitFor();
    };
    await enter('before');
    await first.stop();
    await runningCli(['--port', port, '--control-token', 'after']);
    await enter('after');
    await page.getByRole('button', { name: 'Account worker' }).waitFor();
  });

  it('says when a key is not accepted', async () => {
    const server = await runningCli(['--api-keys', 'one,two']);
    const page = await open(server.url, '/three/handset', { expected: /status of 401|WebSocket/ });
    await page.getByText('This key is not accepted').waitFor();
  });

  it('looks again for what the address names, when the sandbox was away at the first look', async () => {
    const data = mkdtempSync(join(tmpdir(), 'page-'));
    closing({ close: () => rmSync(data, { recursive: true }) });
    const first = await runningCli(['--data', data]);
    const port = new URL(first.url).port;
    const auth = { Authorization: 'Bearer test_default' };
    await fetch(`${first.url}/v1/templates`, { headers: auth });
    const listed = (await (await fetch(`${first.url}/_sandbox/requests`)).json()) as { items: { id: string }[] };
    const id = listed.items[0]?.id ?? '';
    const page = await open(first.url, '/test_default/codes', { expected: /WebSocket|ERR_/ });
    await page.getByText('Live', { exact: true }).waitFor();
    // Older than the loaded part of the list.
    await page.route(/requests\?/, (route) => route.fulfill({ json: { items: [], next: null } }));
    await page.route(new RegExp(`requests/${id}`), (route) => route.abort());
    const missed = page.waitForEvent('requestfailed', (request) => request.url().endsWith(id));
    await page.goto(`${first.url}/_sandbox/ui#/test_default/requests/${id}`);
    await missed;
    await page.unroute(new RegExp(`requests/${id}`));
    await first.stop();
    await runningCli(['--port', port, '--data', data]);
    await page.getByRole('article', { name: 'GET /v1/templates' }).waitFor();
  });

  it('comes back by itself when the sandbox does, and shows the new life', async () => {
    const first = await runningCli();
    const port = new URL(first.url).port;
    const page = await open(first.url, '/test_default/handset', { expected: /WebSocket|ERR_CONNECTION/ });
    const say = (text: string) =>
      fetch(`http://127.0.0.1:${port}/_sandbox/inbound`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ from: ada, text }),
      });
    await say('in the first life');
    await page.getByText('in the first life').waitFor();
    await first.stop();
    await page.getByText('Reconnecting').waitFor();
    await runningCli(['--port', port]);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('in the first life').waitFor({ state: 'detached' });
    await say('in the second life');
    await page.getByText('in the second life').waitFor();
  });
});
