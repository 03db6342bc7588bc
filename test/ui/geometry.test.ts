/**
 * Each place with much in it, from a small phone to a large screen: nothing is cut off, covered, or wider than its room, and
 * axe finds nothing.
 * `PAGE_PICTURES=DIR` also saves a picture of each, for somebody who looks at them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { accessFaults, describeInBrowser, looks, looksOf, useServedPage } from '../support/browser.js';
import type { World } from '../support/client.js';
import { isFull } from '../support/property.js';

const [ada, grace, arab, long] = ['+12025550110', '+12025550111', '+12025550134', '+12025550133'] as const;
const blocked = '+12025550121';

const faultsIn = readFileSync(join(import.meta.dirname, 'geometry.js'), 'utf8');
const pictures = process.env['PAGE_PICTURES'];

const receiver = 'https://sink.sandbox/a-receiver-with-a-long-name-orders-and-messages-eu-west';
const templateName = 'a_template_with_quite_a_long_name_for_the_campaign_slow';

const scenario = {
  version: 1,
  name: 'a-busy-day-with-a-rather-long-name',
  description: 'Some sends are rejected once, and one customer has blocked the shop.',
  rules: [
    {
      id: 'busy-once',
      when: 'message.send',
      match: { phone: ada },
      pick: { calls: 1 },
      then: { respond: { status: 503, retry_after: '2s' } },
    },
  ],
  timeline: [{ at: '+6h', inbound: { phone: grace, text: 'Hello? Anybody there?' } }],
  expect: [
    { at: 'finish', that: 'messages', where: { status: 'failed' }, max: 0, because: 'No message of the day fails.' },
    { at: 'finish', that: 'otps', where: { state: 'verified' }, min: 1, because: 'A code is used.' },
  ],
};

interface Ids {
  readonly failed: string;
  readonly code: string;
  readonly endpoint: string;
  readonly retrying: string;
  readonly held: string;
  readonly request: string;
  readonly template: string;
}

/** Fills an account with everything that needs room: long names, failures, a closed window, a violated scenario. */
async function fill(world: World): Promise<Ids> {
  // A receiver that is down for a day: its endpoint is paused after 27 attempts.
  await world.put('/_sandbox/sink/old-crm', { respond: [{ status: 503 }] });
  await world.register('https://sink.sandbox/old-crm', ['message.received']);
  await world.inbound(grace, { profile_name: 'Grace', text: 'Are you open on Sundays?' });
  await world.advance('25h');
  await world.put('/_sandbox/sink/a-receiver-with-a-long-name-orders-and-messages-eu-west', {
    respond: [{ status: 503 }],
  });
  const failing = await world.register(receiver, ['message.received', 'message.status']);
  await world.register('https://sink.sandbox/app', ['message.received', 'message.status', 'template.status']);
  await world.template('order_shipped', { body: 'Order {{1}} has left. It arrives {{2}}.' });
  await world.template('login', { category: 'authentication', body: undefined });
  const template = await world.template(templateName, { body: `Guten Tag {{1}}. ${'Danke! '.repeat(20)}` }, false);
  await world.put('/_sandbox/scenario', scenario);
  for (let at = 0; at < 40; at += 1) await world.inbound(ada, { profile_name: 'Ada', text: `Number ${at}` });
  await world.inbound(long, {
    profile_name: 'Wolfeschlegelsteinhausenbergerdorff-Montgomery the Third',
    text: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung',
  });
  await world.inbound(arab, { profile_name: 'مريم', text: 'أين طلبي؟' });
  await world.inbound(grace, { profile_name: 'Grace', text: 'Is the blue lamp in the parcel too?' });
  await world.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'Rejected by the rule' });
  await world.call('POST', '/v1/messages', { to: 'nonsense', type: 'text', text: 'Rejected as invalid' });
  const buttons = ['Both together', 'As soon as possible'].map((title, id) => ({ id: String(id), title }));
  const interactive = { body: 'It follows on its own. Send both?', buttons };
  await world.post('/v1/messages', { to: ada, type: 'interactive', interactive });
  const { message_id: failed } = await world.send(blocked, 'order_shipped', ['A-1042', 'on Friday']);
  const { otp_id: code } = await world.post<{ otp_id: string }>('/v1/otp/send', { to: ada });
  await world.call('POST', '/v1/otp/verify', { otp_id: code, code: '000000' });
  await world.put(`/_sandbox/customers/${grace}/window`, { open: false });
  await world.advance('30s');
  await fetch(`${world.url}/v1/messages`, { method: 'POST' });
  const [retrying] = await world.deliveries('?state=retrying&order=desc');
  const [held] = await world.deliveries('?state=held');
  const [request] = await world.items<{ id: string }>('/_sandbox/requests?status=503');
  return {
    ...{ failed, code, template, endpoint: failing.webhook_id },
    ...{ retrying: retrying?.id ?? '', held: held?.id ?? '', request: request?.id ?? '' },
  };
}

/** Places by the name of their picture, with the button that is pressed there. */
function viewsOf(ids: Ids): Readonly<Record<string, readonly [place: string, button?: string | RegExp]>> {
  return {
    messages: ['messages'],
    'message-failed': [`messages/${ids.failed}?status=failed`],
    codes: ['messages/codes'],
    code: [`messages/codes/${ids.code}`],
    conversations: ['conversations'],
    'conversation-open': [`conversations/${ada}`, 'As business'],
    'conversation-closed': [`conversations/${grace}`, 'As business'],
    deliveries: ['webhooks/deliveries'],
    'delivery-retrying': [`webhooks/deliveries/${ids.retrying}`],
    'delivery-held': [`webhooks/deliveries/${ids.held}?state=held`],
    endpoints: ['webhooks/endpoints'],
    endpoint: [`webhooks/endpoints/${ids.endpoint}`],
    requests: ['requests'],
    request: [`requests/${ids.request}`],
    'request-new': ['requests/new'],
    'requests-rejected': ['requests/rejected'],
    templates: ['templates'],
    template: [`templates/${ids.template}`],
    scenario: ['scenario'],
    'scenario-files': ['scenario/files'],
    'scenario-edit': ['scenario/edit/active'],
    'menu-account': ['messages', /^Account/],
    'menu-clock': ['messages', 'Clock and pending jobs'],
    'dialog-register': ['webhooks/endpoints', 'Register endpoint'],
    'dialog-reject': [`templates/${ids.template}`, /^Reject/],
  };
}

async function faultsAt(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  // Axe takes most of the time: it looks at half of the places with each commit.
  const forAxe = isFull || (name.length + inject('turn')) % 2 === 0 ? looksOf(name) : [];
  // Colours move nothing.
  for (const look of looks.filter(
    (each) => pictures !== undefined || each.theme === 'light' || forAxe.includes(each),
  )) {
    const { theme, width, height } = look;
    await page.setViewportSize({ width, height: width < 500 ? 760 : height });
    await page.emulateMedia({ colorScheme: theme });
    // What depends on the width is drawn by then.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}-${width}-${theme}.png`) });
    if (theme === 'light')
      faults.push(...(await page.evaluate<string[]>(faultsIn)).map((each) => `${width} px: ${each}`));
    if (forAxe.includes(look)) faults.push(...(await accessFaults(page)).map((each) => `${look.name}: ${each}`));
  }
  return faults;
}

describeInBrowser('the places', () => {
  const { it, open, served } = useServedPage();

  it('have room for everything in them, at every width, and nothing that axe finds', async () => {
    const world = served.world('corner-shop-staging-eu-west');
    const page = await open(served.url);
    for (const [name, [place, button]] of Object.entries(viewsOf(await fill(world)))) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.keyboard.press('Escape');
      await page.goto(`${served.url}/_sandbox/ui#/${world.key}/${place}`);
      await page.locator('main').waitFor();
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      if (button !== undefined) await page.getByRole('button', { name: button }).last().click();
      expect.soft(await faultsAt(page, name), name).toStrictEqual([]);
    }
  }, 240_000);
});
