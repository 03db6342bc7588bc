import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { describeInBrowser, looksOf, accessFaults, useServedPage } from '../support/browser.js';
import type { Control } from '../support/client.js';

const ada = '+12025550110';

describeInBrowser('the account panel', () => {
  const { it, open, served } = useServedPage();

  it('resets the account but for what is to stay, and takes it back', async ({ world }) => {
    await world.register('https://sink.sandbox/app');
    await world.template('order_shipped');
    await world.send(ada, 'order_shipped');
    const page = await open(served.url, `/${world.key}/account`);
    const over = page.getByRole('region', { name: 'Start over' });
    await over.getByText('Removes 1 message,').waitFor();
    await over.getByText(/Keeps 1 template, 1 endpoint\. The clock starts again\./).waitFor();
    await over.getByLabel('Endpoints').uncheck();
    await over.getByText(/Keeps 1 template\. /).waitFor();
    await over.getByRole('button', { name: 'Reset account' }).click();
    await page.getByText('The account is reset.').waitFor();
    expect(await world.items('/_sandbox/messages')).toStrictEqual([]);
    expect(await world.items('/_sandbox/webhooks')).toStrictEqual([]);
    expect(await world.items('/_sandbox/templates')).toMatchObject([{ name: 'order_shipped' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The account is back in its previous state.').waitFor();
    expect(await world.items('/_sandbox/messages')).toHaveLength(1);
    expect(await world.items('/_sandbox/webhooks')).toHaveLength(1);
  });

  it('forks the account, and shows the fork', async ({ world }) => {
    await world.template('order_shipped');
    const to = `${world.key}-fork`;
    const page = await open(served.url, `/${world.key}/account`);
    await page.getByLabel('API key of the fork').fill(to);
    await page.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.getByRole('heading', { name: to }).waitFor();
    const headers = { Authorization: `Bearer ${to}` };
    const list = await fetch(`${served.url}/_sandbox/templates`, { headers }).then((response) => response.json());
    expect(list).toMatchObject({ items: [{ name: 'order_shipped' }] });
  });

  it('starts the scenario again', async ({ world }) => {
    await world.put('/_sandbox/scenario', {
      version: 1,
      name: 'mine',
      rules: [{ id: 'once', when: 'message.send', pick: { first: 1 }, then: { respond: { status: 503 } } }],
    });
    const trySend = async () => {
      await world.put(`/_sandbox/customers/${ada}/window`, { open: true });
      return (await world.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'x' })).status;
    };
    expect([await trySend(), await trySend()]).toStrictEqual([503, 200]);
    const page = await open(served.url, `/${world.key}/account`);
    await page.getByRole('button', { name: 'Restart mine' }).click();
    await page.getByText('mine was restarted.').waitFor();
    expect([await trySend(), await trySend()]).toStrictEqual([503, 200]);
    expect(await world.items('/_sandbox/messages')).toHaveLength(2);
  });

  it('takes, restores, downloads, deletes and uploads snapshots', async ({ world }) => {
    await world.text(ada, 'before');
    const page = await open(served.url, `/${world.key}/account`);
    await page.getByText('Snapshots that you take or upload appear here.').waitFor();
    await page.getByLabel('Name of the snapshot').fill('first');
    await page.getByRole('button', { name: 'Take snapshot' }).click();
    const list = page.getByRole('list', { name: 'Snapshots taken' });
    await list.getByText('first').waitFor();
    await world.reply(ada, 'after');
    await page.getByRole('button', { name: 'Restore first' }).click();
    await page.getByText('The account is as it was in first.').waitFor();
    expect(await world.items('/_sandbox/messages')).toMatchObject([{ text: 'before' }]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await page.getByRole('button', { name: 'More about first' }).click();
        await page.getByRole('button', { name: 'Download' }).click();
      })(),
    ]);
    expect(download.suggestedFilename()).toBe('first.json');
    const folder = mkdtempSync(join(tmpdir(), 'page-'));
    await download.saveAs(join(folder, 'first.json'));
    const text = readFileSync(join(folder, 'first.json'), 'utf8');
    rmSync(folder, { recursive: true });
    expect(JSON.parse(text)).toMatchObject({ name: 'first', version: 1 });
    await page.getByRole('button', { name: 'More about first' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Snapshot first is deleted.').waitFor();
    await list.getByText('first', { exact: true }).waitFor({ state: 'detached' });
    const file = { name: 'elsewhere.json', mimeType: 'application/json', buffer: Buffer.from(text) };
    await page.getByLabel('Snapshot file').setInputFiles(file);
    await list.getByText('elsewhere').waitFor();
    const names = (await world.items<Control['SnapshotInfo']>('/_sandbox/snapshots')).map(({ name }) => name);
    expect(names.sort()).toStrictEqual(['before-restore', 'elsewhere']);
  });

  it('deletes the account once one is sure, and shows another one', async ({ world }) => {
    await world.text(ada);
    const page = await open(served.url, `/${world.key}/account`);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(`The account ${world.key} is deleted.`).waitFor();
    expect(page.url()).not.toContain(world.key);
    const accounts = await served.world().items<Control['Account']>('/_sandbox/accounts?limit=1000');
    expect(accounts.map(({ key }) => key)).not.toContain(world.key);
  });

  it('counts in the title what goes wrong while one looks elsewhere, and notifies if one wants', async ({ world }) => {
    await world.post('/_sandbox/rules', { when: 'message.send', then: { respond: { status: 503 } } });
    const page = await open(served.url, `/${world.key}/account`);
    await page.getByText('Live', { exact: true }).waitFor();
    // Replaces the desktop, which a browser without a screen does not have.
    await page.evaluate(`globalThis.said = [];
      globalThis.Notification = class {
        static permission = 'default';
        static requestPermission = () => Promise.resolve('granted');
        constructor(title, { body }) { said.push(body); }
      };`);
    await page.getByRole('checkbox', { name: /^Notify me/ }).check();
    const hide = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
        document.dispatchEvent(new Event('visibilitychange'));`);
    const trySend = () => world.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'x' });
    await hide(true);
    await trySend();
    await trySend();
    await expect.poll(() => page.title()).toMatch(/^\(2\) Account/);
    const { webhook_id: id } = await world.register('https://sink.sandbox/app');
    await world.put(`/_sandbox/webhooks/${id}`, { status: 'paused' });
    await expect.poll(() => page.title()).toMatch(/^\(3\) /);
    expect(await page.evaluate('said')).toStrictEqual([
      'POST /v1/messages got 503',
      'POST /v1/messages got 503',
      expect.stringMatching(/^https:\/\/sink\.sandbox\/app is paused: /) as string,
    ]);
    await hide(false);
    await expect.poll(() => page.title()).toMatch(/^Account/);
  });

  it('has first steps that tick themselves', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset`);
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('0 of 4').waitFor();
    await world.register('https://sink.sandbox/app');
    await steps.getByText('2 of 4').waitFor();
    await page.getByRole('textbox', { name: 'Advance by or to' }).fill('1m');
    await page.keyboard.press('Enter');
    await steps.getByText('3 of 4').waitFor();
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/account`);
    await steps.getByText('Advance the clock (done)').waitFor();
    await world.template('order_shipped');
    await world.send(ada, 'order_shipped');
    await steps.getByText('4 of 4').waitFor();
  });

  it.each(looksOf('account'))('has no violation of accessibility: $name', async (look) => {
    const world = served.world();
    await world.post('/_sandbox/snapshots', { name: 'one' });
    const page = await open(served.url, `/${world.key}/account`, look);
    await page.getByRole('list', { name: 'Snapshots taken' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
