import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { csvOf, readWhole } from '../../src/ui/page/core/export.js';
import { accessFaults, describeInBrowser, savedBy, useServedPage, type SavedFile } from '../support/browser.js';

const ada = '+12025550110';
const bob = '+12025550111';

/** Returns the file that an item of the menu saves. */
async function saved(page: Page, item: string): Promise<SavedFile> {
  await page.getByRole('button', { name: 'Export' }).click();
  return savedBy(page, () => page.getByRole('button', { name: item }).click());
}

describeInBrowser('Export', () => {
  const { it, open, served } = useServedPage();

  it('saves the requests that are shown, and the account as archive, scenario and test', async ({ world }) => {
    await world.text(ada, 'Hello "you",\nagain');
    await world.text(bob, '=1+1');
    const page = await open(served.url, `/${world.key}/requests`);
    const table = await saved(page, 'Requests (CSV)');
    expect(table.name).toBe('requests.csv');
    expect(table.text.split('\r\n')[0]).toContain('request.body');
    expect(table.text.split('\r\n')).toHaveLength(4);
    await page.getByRole('searchbox', { name: 'Search requests' }).fill(bob);
    await page.getByText('1 of 2 calls').waitFor();
    const chosen = await saved(page, 'Requests shown (JSON)');
    expect(JSON.parse(chosen.text)).toMatchObject([{ request: { body: { to: bob } } }]);

    const archive = await saved(page, 'HTTP Archive (HAR)');
    expect(archive.name).toBe('recorded.har');
    const { log } = JSON.parse(archive.text) as { log: { entries: { request: { url: string } }[] } };
    expect(log.entries.map(({ request }) => request.url)).toStrictEqual([
      `${served.url}/v1/messages`,
      `${served.url}/v1/messages`,
    ]);
    const scenario = await saved(page, 'Scenario (YAML)');
    expect(scenario).toMatchObject({ name: 'recorded.yaml', text: expect.stringContaining(bob) as string });
    // The saved file can be loaded again.
    await world
      .call('PUT', '/_sandbox/scenario', scenario.text, { 'content-type': 'application/yaml' })
      .then((answer) => expect(answer.status).toBe(200));
    expect((await saved(page, 'Test for vitest')).text).toContain("from 'vitest'");
    await page.getByRole('button', { name: 'Export' }).click();
    expect(await accessFaults(page)).toStrictEqual([]);
  });

  it('saves deliveries and events, and the messages of a conversation', async ({ world }) => {
    await world.register('https://sink.sandbox/export');
    await world.text(ada);
    await world.inbound(ada, { text: 'Thanks' });
    await world.idle();
    const page = await open(served.url, `/${world.key}/webhooks`);
    const [deliveries, events] = [await saved(page, 'Deliveries (JSON)'), await saved(page, 'Events (CSV)')];
    const items = await world.items('/_sandbox/deliveries');
    expect(items.length).toBeGreaterThan(0);
    expect(JSON.parse(deliveries.text)).toStrictEqual(items);
    expect(events.text).toContain('message.status');
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/handset/${ada}`);
    const messages = await saved(page, 'Messages (JSON)');
    expect(messages.name).toBe(`messages-${ada}.json`);
    expect(JSON.parse(messages.text)).toMatchObject([{ text: 'Hello' }, { text: 'Thanks' }]);
  });
});

it('a table quotes what has commas, keeps what is nested as JSON, and defuses formulas', () => {
  const rows = [
    { id: 'a', to: '+12025550110', deep: { list: [1], on: { x: 1 } } },
    { id: 'b, "c"', text: '=HYPERLINK("x")', none: null },
  ];
  expect(csvOf(rows)).toBe(
    'id,to,deep.list,deep.on,text,none\r\n' +
      'a,+12025550110,[1],"{""x"":1}",,\r\n' +
      '"b, ""c""",,,,"\'=HYPERLINK(""x"")",\r\n',
  );
});

it('a whole list is read page by page', async () => {
  const pages = new Map([
    [undefined, { items: [1, 2], next: 2 }],
    [2, { items: [3], next: null }],
  ]);
  const read = ({ query: { after } }: { query: { after?: number } }) =>
    Promise.resolve(pages.get(after) ?? { items: [], next: null });
  expect(await readWhole(read)).toStrictEqual([1, 2, 3]);
});
