import { expect } from 'vitest';
import { runningCli } from '../support/cli.js';
import { describeInBrowser, useServedPage } from '../support/browser.js';
import { newWorld } from '../support/client.js';

const ada = '+12025550110';
const away = { expected: /WebSocket|ERR_|status of 404/ };

/** The number of bytes that a delivery and a journal entry keep. */
interface Exchanges {
  readonly attempts?: readonly { readonly request: { truncated?: boolean } }[];
  readonly response?: { truncated?: boolean };
}

describeInBrowser('what the page says', () => {
  const { it, open, served } = useServedPage();

  it('of another life of the sandbox holds of that one: reports are read again, unread messages are gone', async () => {
    const first = await runningCli();
    const { port } = new URL(first.url);
    const world = newWorld(first, 'test_default');
    const page = await open(first.url, `/${world.key}/handset`, away);
    await page.getByText('Live', { exact: true }).waitFor();
    await world.text(ada);
    await page.getByRole('link', { name: '1 waiting Handset' }).waitFor();
    await page.goto(`${first.url}/_sandbox/ui#/${world.key}/coverage`);
    await page.getByRole('button', { name: 'operation sendMessage 2xx 1 hit' }).waitFor();
    await first.stop();
    await page.getByText('Reconnecting').waitFor();
    // The loaded data stays visible until there is newer data.
    await page.getByRole('button', { name: 'operation sendMessage 2xx 1 hit' }).waitFor();
    await runningCli(['--port', port]);
    await page.getByRole('button', { name: 'operation sendMessage 2xx never exercised' }).waitFor();
    // The report may have been read before the stream was connected again.
    await page.getByRole('link', { name: /waiting/ }).waitFor({ state: 'detached' });
  });

  it('does not take a sandbox that is away for one that knows nothing, and asks again', async () => {
    const first = await runningCli();
    const { port } = new URL(first.url);
    const page = await open(first.url, '/test_default/scenario', away);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'No scenario is active' }).first().waitFor();
    await first.stop();
    await page.getByText('Reconnecting').waitFor();
    await page.goto(`${first.url}/_sandbox/ui#/test_default/scenario/library`);
    await page.getByText('Loading …').waitFor();
    const second = await runningCli(['--port', port]);
    await page.getByRole('button', { name: 'Activate happy-path' }).waitFor();
    await second.stop();
    await page.getByText('Reconnecting').waitFor();
    await page.goto(`${first.url}/_sandbox/ui#/test_default/scenario/editor/happy-path`);
    await runningCli(['--port', port]);
    await page.getByText('It can be activated.').waitFor();
    await page.locator('.cm-line').getByText('happy-path').first().waitFor();
  });

  it('loads a panel that was first opened while the sandbox was away', async () => {
    const first = await runningCli();
    const { port } = new URL(first.url);
    const page = await open(first.url, '/test_default/handset', away);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'No conversations yet' }).waitFor();
    await first.stop();
    await page.goto(`${first.url}/_sandbox/ui#/test_default/coverage`);
    await page.getByText('This part of the page could not be loaded').waitFor();
    await runningCli(['--port', port]);
    await page.getByRole('button', { name: 'operation sendMessage 2xx never exercised' }).waitFor();
  });

  it('forgets with a reset what lay further back than the list reaches', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.received']);
    for (let count = 0; count < 130; count += 1) await world.inbound(ada, { text: `line ${count}` });
    await world.idle();
    const [oldest] = await world.deliveries('?limit=1');
    const page = await open(served.url, `/${world.key}/webhooks/deliveries/${oldest?.id ?? ''}`, away);
    await page.getByRole('article', { name: 'Delivery of message.received' }).waitFor();
    await world.post('/_sandbox/reset');
    await page.getByText('This delivery does not exist').waitFor();
  });

  it('counts everything that waits, before one looks at it', async ({ world }) => {
    const { webhook_id: id } = await world.register('https://sink.sandbox/app');
    await world.put(`/_sandbox/webhooks/${id}`, { status: 'paused' });
    for (let count = 0; count < 101; count += 1) {
      await world.post('/_sandbox/rules', { when: 'message.send', then: { respond: { status: 503 } } });
    }
    const page = await open(served.url, `/${world.key}/handset`);
    await page.getByRole('link', { name: '1 waiting Webhooks' }).waitFor();
    await page.getByRole('link', { name: 'Responses are affected by 101 rules' }).waitFor();
  });

  it('of the active scenario follows the active scenario, in the editor too', async ({ world }) => {
    await world.put('/_sandbox/scenario', { name: 'flaky-api' });
    const page = await open(served.url, `/${world.key}/scenario/editor?from=active`);
    const text = page.getByRole('textbox', { name: 'Scenario' });
    await text.locator('.cm-line', { hasText: /^name: flaky-api$/ }).waitFor();
    await world.put('/_sandbox/scenario', { name: 'happy-path' });
    await text.locator('.cm-line', { hasText: /^name: happy-path$/ }).waitFor();
    const changed = page.getByText('changed, and stored in this tab only');
    await text.press('Control+Home');
    await page.keyboard.insertText('# Mine\n');
    await changed.waitFor();
    await page.getByRole('button', { name: 'Activate this' }).click();
    await changed.waitFor({ state: 'detached' });
  });

  it('of a call is there on a narrow screen, too, where its list is not', async ({ world }) => {
    await world.call('GET', '/v1/templates');
    const [call] = await world.items<{ id: string }>('/_sandbox/requests');
    const page = await open(served.url, `/${world.key}/requests/${call?.id ?? ''}`, { width: 320 });
    await page.getByRole('article', { name: 'GET /v1/templates' }).waitFor();
  });

  it('of bytes that are not all kept is that they are not all there', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada, { text: 'Hello?' });
    await world.call('GET', '/v1/templates');
    const page = await open(served.url, `/${world.key}/codes`);
    // As the sandbox shows bodies of a megabyte, and old attempts.
    await page.route(/_sandbox\/(deliveries|requests)\?/, async (route) => {
      const { items } = (await (await route.fetch()).json()) as { items: Exchanges[] };
      for (const { attempts = [], response } of items) {
        for (const { request } of attempts) request.truncated = true;
        if (response) response.truncated = true;
      }
      await route.fulfill({ json: { items, next: null } });
    });
    const [delivery] = await world.deliveries();
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`);
    await page.getByText('Only the beginning is kept.').waitFor();
    await page.getByText('so no signature can be computed').waitFor();
    expect(await page.getByText(/Signature (matches|differs)/).count()).toBe(0);
    const [call] = await world.items<{ id: string }>('/_sandbox/requests');
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/requests/${call?.id ?? ''}`);
    await page.getByText('Only the beginning is kept.').waitFor();
  });

  it('of a number is what the number does, however often one chooses', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/handset`);
    await page.getByRole('button', { name: 'New customer' }).click();
    const [number, kind] = [page.getByLabel('Number'), page.getByLabel('Behaviour')];
    const ordinary = await number.inputValue();
    await kind.selectOption('20');
    expect(await number.inputValue()).toBe('+12025550120');
    await kind.selectOption('');
    expect(await number.inputValue()).toBe(ordinary);
  });

  it('of the connection is words on a narrow screen as well, and all panels are in sight there', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/coverage`, { width: 320 });
    await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    const ends = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.navigation a')].map((each) => each.getBoundingClientRect().right)",
    );
    expect(ends).toHaveLength(10);
    expect(Math.max(...ends)).toBeLessThanOrEqual(320);
  });
});
