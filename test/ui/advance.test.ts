import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveOf } from '../../src/ui/page/core/move.js';
import { happeningsOf } from '../../src/ui/page/core/ahead.js';
import { describeInBrowser, useServedPage } from '../support/browser.js';
import { startReceiver, type Receiver } from '../support/receivers.js';

const ada = '+12025550110';
const nowMs = Date.UTC(2026, 2, 1, 9);

describe('where the clock shall go', () => {
  it.each([
    ['23h59m', { by: '23h59m' }],
    ['+5m', { by: '5m' }],
    ['2 days 30 min', { by: '2d30m' }],
    ['18:30', { to: '2026-03-01T18:30:00.000Z' }],
    ['8:15', { to: '2026-03-02T08:15:00.000Z' }],
    ['2026-03-02', { to: '2026-03-02T00:00:00.000Z' }],
    ['2026-03-02 09:00', { to: '2026-03-02T09:00:00.000Z' }],
    ['2026-03-02T09:00:00+02:00', { to: '2026-03-02T07:00:00.000Z' }],
  ])('%s', (typed, move) => {
    expect(moveOf(typed, nowMs)).toStrictEqual(move);
  });

  it.each([
    ['tomorrow', /^Invalid time "tomorrow"\. Expected a duration such as 23h59m/],
    ['25:00', /^Invalid time/],
    ['2026-02-30 99:00', /^Invalid time/],
    ['2026-02-28 09:00', /is in the past.*reset the account/],
  ])('%s is none', (typed, words) => {
    expect(moveOf(typed, nowMs)).toMatch(words);
  });
});

describe('what lies ahead', () => {
  const due = (second: number) => new Date(nowMs + second * 1000).toISOString();

  it('stands together by subject, soonest first, and leads to it', () => {
    const attempt = { job: 'delivery.attempt', subject: 'd', about: 'order_shipped', to: ada, url: 'https://app/hook' };
    expect(
      happeningsOf([
        { seq: 1, ...attempt, due: due(60), attempt: 3, status: 'sent' },
        {
          seq: 2,
          job: 'message.status',
          subject: 'm',
          about: 'order_shipped',
          to: ada,
          status: 'delivered',
          due: due(1),
        },
        { seq: 3, job: 'message.status', subject: 'm', about: 'order_shipped', to: ada, status: 'read', due: due(2) },
        { seq: 4, job: 'endpoint.pause', subject: 'e', about: 'https://app/hook', webhook_id: 'e', due: due(3) },
      ]),
    ).toMatchObject([
      { words: 'order_shipped: delivered, read', to: ada, count: 2, at: due(1), place: ['story', 'message', 'm'] },
      { words: 'app/hook is paused', place: ['webhooks', 'endpoints', 'e'] },
      { words: 'Attempt 3 to app/hook: order_shipped sent', place: ['webhooks', 'deliveries', 'd'] },
    ]);
    const ran = [1, 2, 3].map((second) => ({ ...attempt, at: due(second) }));
    expect(happeningsOf(ran)).toMatchObject([{ words: '3 attempts to app/hook: order_shipped', count: 3 }]);
  });
});

describeInBrowser('the clock', () => {
  const { it, open, served } = useServedPage();
  let receiver: Receiver;
  let release: (() => void) | null = null;
  let holding = false;

  beforeAll(async () => {
    receiver = await startReceiver((response) => {
      const end = () => {
        response.statusCode = 503;
        response.end();
      };
      if (holding) release = end;
      else end();
    });
  });
  afterAll(() => receiver.close());

  it('goes to a goal, and says with links what happened on the way', async () => {
    holding = false;
    const world = served.world();
    await world.register(receiver.url('/hook'));
    await world.template('order_shipped');
    await world.send(ada, 'order_shipped');
    await world.advance('2s');
    const page = await open(served.url, `/${world.key}/requests`);
    const face = page.getByRole('button', { name: 'Clock and pending jobs' });
    await face.click();
    const ahead = page.getByRole('dialog', { name: 'Clock and pending jobs' });
    await ahead.getByText(/Attempt 2 to localhost:\d+\/hook: order_shipped sent/).waitFor();
    await ahead.getByRole('button', { name: /To the pause of an endpoint/ }).waitFor();
    await ahead.getByRole('button', { name: /To the next retry/ }).click();
    const summary = page.getByRole('region', { name: 'Results of the advance' });
    await summary.getByText('Advanced 58 s to 09:01:00 UTC').waitFor();
    expect((await world.clock()).now).toMatch(/^2026-03-01T09:01:00/);
    await summary.getByRole('link', { name: /order_shipped sent to \+12025550110/ }).click();
    await page.getByRole('article', { name: 'Delivery of message.status' }).waitFor();
    await page.getByRole('textbox', { name: 'Advance by or to' }).fill('2026-02-28 09:00');
    await page.keyboard.press('Enter');
    await page.getByText(/is in the past/).waitFor();
    await page.getByRole('link', { name: 'Reset account' }).click();
    await page.getByRole('region', { name: 'Start over' }).waitFor();
  });

  it('shows how far it has come, loses no click, and is stopped', async () => {
    holding = true;
    const world = served.world();
    await world.register(receiver.url('/hook'), ['message.received']);
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByText('Live', { exact: true }).waitFor();
    const asked = receiver.nextRequest();
    await world.inbound(ada);
    await asked;
    const jump = page.getByRole('button', { name: '+1 h' });
    await jump.click();
    const moving = page.getByRole('region', { name: 'Advance', exact: true });
    await moving.getByText('Advancing to 10:00:00 UTC').waitFor();
    await jump.click();
    await moving.getByText('then another move').waitFor();
    holding = false;
    release?.();
    await expect.poll(async () => (await world.clock()).now).toBe('2026-03-01T11:00:00.000Z');
    await page.getByText(/^Advanced 1 h to 11:00:00 UTC/).waitFor();

    holding = true;
    const again = receiver.nextRequest();
    await jump.click();
    await again;
    await moving.getByRole('button', { name: 'Cancel' }).click();
    await moving.getByRole('button', { name: 'Stopping …' }).waitFor();
    holding = false;
    release?.();
    await page.getByText(/^Stopped/).waitFor();
    expect((await world.clock()).now < '2026-03-01T12:00:00.000Z').toBe(true);
    await page.getByRole('button', { name: 'Dismiss the summary' }).click();
    await page.getByText(/^Stopped/).waitFor({ state: 'detached' });
  });

  it('knows where it goes before the page knows the time', async () => {
    holding = true;
    const world = served.world();
    await world.register(receiver.url('/hook'), ['message.received']);
    const page = await open(served.url, `/${world.key}/requests`);
    await page.routeWebSocket(/_sandbox\/live/, () => undefined);
    let asksAgain = false;
    await page.route('**/_sandbox/clock', async (route) => {
      // The first response is still pending.
      if (asksAgain) await route.continue();
      asksAgain = true;
    });
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    const asked = receiver.nextRequest();
    await world.inbound(ada);
    await asked;
    await page.getByRole('button', { name: '+1 h' }).click();
    await page.getByRole('region', { name: 'Advance', exact: true }).getByText('Advancing to 10:00:00 UTC').waitFor();
    holding = false;
    release?.();
    await page.getByText(/^Advanced 1 h to 10:00:00 UTC/).waitFor();
  });

  it('has no popover over the next panel', async ({ world }) => {
    await world.text(ada);
    const page = await open(served.url, `/${world.key}/handset`);
    await page.getByRole('button', { name: 'Clock and pending jobs' }).click();
    const ahead = page.getByRole('dialog', { name: 'Clock and pending jobs' });
    await ahead.getByText('text: delivered, read').waitFor();
    await page.evaluate(`location.hash = '#/${world.key}/codes'`);
    await page.getByText('No codes yet').waitFor();
    await ahead.waitFor({ state: 'hidden' });
  });
});
