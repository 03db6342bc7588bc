import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { describeInBrowser, looksOf, accessFaults, useServedPage } from '../support/browser.js';
import type { Control, World } from '../support/client.js';

const ada = '+12025550110';
const run = promisify(execFile);

const journal = (world: World) => world.items<Control['JournalRequest']>('/_sandbox/requests?order=desc');

describeInBrowser('the requests', () => {
  const { it, open, served } = useServedPage();

  it('appear while one looks, and lead to what they made', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByText('No requests yet').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const id = await world.text(ada, 'It left this morning.');
    const row = page.getByRole('row').filter({ hasText: '/v1/messages' });
    await row.getByText(ada).last().waitFor();
    await row.getByRole('link').click();
    await page.getByRole('region', { name: 'Request', exact: true }).getByText('"It left this morning."').waitFor();
    await page.getByRole('region', { name: 'Response' }).getByText(id).waitFor();
    await page.getByRole('article').getByRole('link', { name: ada }).click();
    await page.getByRole('article', { name: 'From the account' }).getByText('It left this morning.').waitFor();
  });

  it('without an account are listed apart, with the reason', async ({ world }) => {
    await fetch(`${served.url}/v1/refused-in-the-page`, { method: 'DELETE' });
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByRole('link', { name: 'Rejected', exact: true }).click();
    const refused = page.getByRole('list', { name: 'Rejected calls' }).getByRole('listitem');
    const row = refused.filter({ hasText: 'DELETE /v1/refused-in-the-page' });
    for (const text of ['401', 'unauthorized', 'The Authorization header is missing']) {
      await row.getByText(text).first().waitFor();
    }
    expect(await accessFaults(page)).toStrictEqual([]);
    await page.getByRole('link', { name: 'Requests of this account' }).click();
    await page.getByText('No requests yet').waitFor();
  });

  it('are filtered by the address, which a reload keeps', async ({ world }) => {
    await world.text(ada);
    await world.call('GET', '/v1/nothing');
    await world.call('POST', '/v1/otp/send', { to: ada });
    const page = await open(served.url, `/${world.key}/requests`);
    const paths = page.getByRole('table', { name: 'Requests' }).locator('.row-link');
    await expect.poll(() => paths.count()).toBe(3);
    const filters = page.getByRole('button', { name: 'Filters' });
    await filters.click();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('4xx');
    await expect.poll(() => paths.count()).toBe(2);
    await page.getByRole('textbox', { name: 'Path' }).fill('/v1/otp/*');
    await expect.poll(() => paths.count()).toBe(1);
    await page.getByText('1 of 3 calls').waitFor();
    expect(page.url()).toContain('status=4xx&path=%2Fv1%2Fotp%2F*');
    await page.reload();
    await page.getByText('1 of 3 calls').waitFor();
    await page.getByRole('button', { name: 'Path: /v1/otp/*' }).click();
    await expect.poll(() => paths.count()).toBe(2);
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect.poll(() => paths.count()).toBe(3);
    await filters.click();
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('Send a message');
    await expect.poll(() => paths.count()).toBe(1);
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('no_default_otp');
    await page.getByText('1 of 3 calls').waitFor();
    await world.call('POST', '/v1/otp/send', { to: ada });
    await page.getByText('2 of 4 calls').waitFor();
  });

  it('are made again by the line that is copied', async ({ world }) => {
    const text = `It's "$HOME" \`id\` \\ and\nmore 🦊 <b>&amp;</b>`;
    await world.text(ada, text);
    const [call] = await journal(world);
    const page = await open(served.url, `/${world.key}/requests/${call?.id ?? ''}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const line = await page.evaluate<string>('navigator.clipboard.readText()');
    const { stdout } = await run('sh', ['-c', line]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'accepted', message_id: expect.any(String) as string });
    const [again] = await journal(world);
    expect(again?.id).not.toBe(call?.id);
    expect(again?.request.body).toStrictEqual(call?.request.body);
  });

  it('keep hostile headers and bodies as text, pretty and raw', async ({ world }) => {
    const hostile = '<img src=x onerror="document.title=\'taken\'">';
    await world.call('POST', '/v1/messages', { to: hostile, type: 'text', text: hostile }, { 'x-note': hostile });
    const [call] = await journal(world);
    const page = await open(served.url, `/${world.key}/requests/${call?.id ?? ''}`);
    const asked = page.getByRole('region', { name: 'Request', exact: true });
    await asked.getByText(hostile, { exact: true }).waitFor();
    await asked.getByText(JSON.stringify(hostile), { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Raw bodies' }).click();
    await asked.getByLabel('request body', { exact: true }).getByText('"type":"text"').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Pretty bodies' }).waitFor();
    expect(await page.title()).toMatch(/^Requests/);
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('say which rule struck, what was let pass, and what a fault did', async ({ world }) => {
    const rule = (id: string, to: string, respond: object) =>
      world.post('/_sandbox/rules', { id, when: 'message.send', match: { to }, then: { respond } });
    await rule('busy-hour', ada, { status: 503, code: 'unavailable' });
    await rule('cut', '+12025550111', { fault_real: 'reset' });
    await world.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'x', colour: 'red' });
    const [busy] = await journal(world);
    await world.call('POST', '/v1/messages', { to: '+12025550111', type: 'text', text: 'x' }).catch(() => null);
    await expect.poll(async () => (await journal(world)).length).toBe(2);
    const page = await open(served.url, `/${world.key}/requests/${busy?.id ?? ''}`);
    const why = page.getByRole('region', { name: 'Why' });
    expect(await why.getByRole('link', { name: 'busy-hour' }).getAttribute('href')).toContain('/scenario');
    await page.getByText(/Rejected with unavailable/).waitFor();
    await page.getByText(/Unknown property "colour" was ignored/).waitFor();
    await page.getByRole('link', { name: /no response/ }).click();
    await page.getByText('A fault broke the connection. (reset)').waitFor();
    await page.getByText('No response: a fault broke the connection.').waitFor();
  });

  it('are forgotten once one is sure', async ({ world }) => {
    await world.call('GET', '/v1/templates');
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByText('1 call', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear journal …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await journal(world)).toHaveLength(1);
    await page.getByRole('button', { name: 'Clear journal …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(await journal(world)).toHaveLength(0);
  });

  it('are drawn only where one looks, and one of long ago opens by its address', async ({ world }) => {
    for (let count = 0; count < 150; count += 1) await world.call('GET', `/v1/templates?n=${count}`);
    const first = (await journal(world)).at(-1);
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByText(/^1\d\d\+? calls$/).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(60);
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/requests/${first?.id ?? ''}`);
    await page.getByRole('article', { name: 'GET /v1/templates' }).waitFor();
  });

  it.each(looksOf('requests'))('have no serious violation of accessibility: $name', async (look) => {
    const world = served.world();
    await world.text(ada);
    await world.call('POST', '/v1/messages', { to: 'x', type: 'text', text: 'x', colour: 'red' });
    const [call] = await journal(world);
    const page = await open(served.url, `/${world.key}/requests`, look);
    await page.getByText('2 calls').waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    for (const body of ['', '?body=raw']) {
      await page.goto(`${served.url}/_sandbox/ui#/${world.key}/requests/${call?.id ?? ''}${body}`);
      await page.getByRole('region', { name: 'Response' }).waitFor();
      expect(await accessFaults(page)).toStrictEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});
