import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessFaults, describeInBrowser, looksOf, useServedPage } from '../support/browser.js';
import type { Control, World } from '../support/client.js';

const ada = '+12025550110';
/** The browser reports a rejected call in its console; the page shows it. */
const expected = /Failed to load resource/;

const journal = (world: World) => world.items<Control['JournalRequest']>('/_sandbox/requests?order=desc');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const responseOf = (page: Page) => page.getByRole('region', { name: 'Response', exact: true });

describeInBrowser('the business', () => {
  const { it, open, served } = useServedPage();

  it('sends a text: the window is opened first, and the response leads to the message and its story', async ({
    world,
  }) => {
    const page = await open(served.url, `/${world.key}/handset`, { expected });
    await page.getByRole('link', { name: 'Send', exact: true }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('Your parcel, Ada');
    await press(page, 'Send text');
    await responseOf(page)
      .getByText(/^send_failed: The session window is closed/)
      .waitFor();
    await press(page, 'Open window');
    await page.getByText('This customer has no open window').waitFor({ state: 'detached' });
    await press(page, 'Send text');
    await responseOf(page).getByText('"accepted"').waitFor();
    await responseOf(page).getByRole('link', { name: 'story' }).click();
    await page.getByRole('article', { name: `Story of text to ${ada}` }).waitFor();
    await page.goBack();
    // The response is still there.
    await responseOf(page).getByRole('link', { name: ada }).click();
    await page.getByRole('article', { name: 'From the account' }).getByText('Your parcel, Ada').waitFor();
    expect((await journal(world)).map(({ status }) => status)).toStrictEqual([200, 400]);
  });

  it('sends a template with its variables to a magic number that is explained, and a batch', async ({ world }) => {
    await world.template('order_shipped', { body: 'Hi {{1}}, your order {{2}} left.' });
    const page = await open(served.url, `/${world.key}/send/template`, { expected });
    await page.getByLabel('{{1}} in “Hi {{1}}, your order …”').fill('Grace');
    expect(await page.getByLabel('{{2}} in').inputValue()).toBe('1042');
    await page.getByLabel('Behaviour').selectOption({ index: 1 });
    await page.getByText(/\(magic number \d\d\)/).waitFor();
    const to = await page.getByLabel('To', { exact: true }).inputValue();
    await press(page, 'Send template');
    await responseOf(page).getByText('"accepted"').waitFor();
    const [sent] = await journal(world);
    expect(sent?.request.body).toStrictEqual({
      to,
      type: 'template',
      template: { name: 'order_shipped', language: 'en', variables: ['Grace', '1042'] },
    });

    await page.getByRole('link', { name: 'Batch' }).click();
    await page.getByLabel('To', { exact: true }).fill(`${ada}\n555`);
    await page.getByLabel('Add number').selectOption({ index: 2 });
    await press(page, 'Send batch');
    await responseOf(page).getByText('"queued"').waitFor();
    await responseOf(page).getByText('Its 2 messages').waitFor();
    const [batch] = await journal(world);
    expect((batch?.request.body as { to: string[] }).to).toStrictEqual([ada, '555', to]);
  });

  it('submits templates, sends a code and verifies it, and registers an endpoint', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/send/submission`, { expected });
    await page.getByLabel('Name').fill('login_code');
    await page.getByLabel('Category').selectOption('authentication');
    await page.getByLabel('Body').fill('');
    await press(page, 'Submit template');
    await responseOf(page).getByText('Its template').waitFor();
    const [template] = await world.items<Control['Template']>('/_sandbox/templates');
    await world.post(`/_sandbox/templates/${template?.id ?? ''}/review`, { decision: 'approved' });

    await page.getByRole('link', { name: 'Code', exact: true }).click();
    await page.getByLabel('Length').fill('9');
    await press(page, 'Send code');
    await page.getByText('must be 4 to 8; found 9').first().waitFor();
    expect(await page.getByLabel('Length').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Length').fill('8');
    await press(page, 'Send code');
    await responseOf(page).getByText('Its code').waitFor();

    await page.getByRole('link', { name: 'Verification' }).click();
    await press(page, 'Use this code');
    expect(await page.getByLabel('Code', { exact: true }).inputValue()).toMatch(/^\d{8}$/);
    await press(page, 'Verify code');
    await responseOf(page).getByText('true', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Endpoint', exact: true }).click();
    await page.getByLabel('otp.verified').uncheck();
    await press(page, 'Register endpoint');
    await responseOf(page).getByText('Its endpoint').waitFor();
    const [endpoint] = await world.items<Control['Endpoint']>('/_sandbox/webhooks');
    expect(endpoint).toMatchObject({ events: ['message.received', 'message.status', 'template.status'] });
  });

  it('shows each call as code that runs as pasted, while one types', async ({ world }) => {
    const text = `It's "$HOME" \`id\` \\ and\nmore 🦊 <b>&amp;</b>`;
    await world.put(`/_sandbox/customers/${ada}/window`, { open: true });
    const page = await open(served.url, `/${world.key}/send/text`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('textbox', { name: 'Text' }).fill(text);
    const runs = { curl: ['sh', '-c'], TypeScript: [process.execPath, '--input-type=module', '-e'] } as const;
    for (const [language, [file, ...args]] of Object.entries(runs)) {
      await press(page, language);
      await press(page, `Copy ${language}`);
      const code = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(await page.getByLabel(`The request in ${language}`).textContent()).toBe(code);
      const { stdout } = await promisify(execFile)(file, [...args, code]);
      expect(stdout).toContain('"status":"accepted"');
    }
    const bodies = (await journal(world)).map(({ request }) => request.body);
    expect(bodies).toStrictEqual([text, text].map((each) => ({ to: ada, type: 'text', text: each })));
    await press(page, 'Python');
    await page.reload();
    await page.getByLabel('The request in Python').getByText('http.client').first().waitFor();
  });

  it('sends an invalid body and another key on purpose', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/send/text`, { expected });
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello');
    await press(page, 'Edit as raw');
    await page.getByLabel('Body').fill('{"to": broken');
    await page.getByText('Not JSON; sent unchanged.').waitFor();
    await press(page, 'Send request');
    await responseOf(page).getByText('validation_error', { exact: true }).waitFor();
    const [call] = await journal(world);
    expect([call?.status, call?.request.body]).toStrictEqual([400, '{"to": broken']);
    await page.getByRole('textbox', { name: 'Headers' }).fill('authorization Bearer x');
    await page.getByRole('alert').getByText('Invalid header "authorization Bearer x". Expected name: value.').waitFor();
    await page.getByRole('textbox', { name: 'Headers' }).fill('content-type: text/plain\nauthorization: Bearer ***');
    await press(page, 'Send request');
    await responseOf(page).getByText('415', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Headers' }).fill('content-type: application/json');
    await press(page, 'Send request');
    await responseOf(page).getByText('401', { exact: true }).waitFor();
  });

  it('replays a call, edits and resends it, and compares the two', async ({ world }) => {
    await world.text(ada, 'It left this morning.');
    const [first] = await journal(world);
    const page = await open(served.url, `/${world.key}/requests/${first?.id ?? ''}`, { expected });
    await press(page, 'Replay');
    await page.getByText('Replayed: 200.').waitFor();
    await press(page, 'Compare');
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await part('Request body').getByText('The same.').waitFor();
    expect(await part('Response body').locator('ins').textContent()).toContain('"message_id"');
    expect((await journal(world))[0]?.request.body).toStrictEqual(first?.request.body);

    await page.getByRole('link', { name: 'POST /v1/messages · 200' }).first().click();
    await press(page, 'Select to compare');
    await page.getByRole('link', { name: 'Edit and resend' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('It left at noon.');
    await press(page, 'Send text');
    await responseOf(page).getByRole('link', { name: 'Open request' }).click();
    await page.getByRole('link', { name: 'Compare with selected' }).click();
    await part('Request body').getByText('It left at noon.').waitFor();
    expect(await part('Request body').locator('del').textContent()).toContain('It left this morning.');
    await page.getByRole('link', { name: 'Swap sides' }).click();
    await part('Request body').locator('ins').getByText('It left this morning.').waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
  });

  it('opens a call with headers of its own in the raw form', async ({ world }) => {
    await world.call('POST', '/v1/otp/verify', { otp_id: 'x', code: '1' }, { 'x-sandbox-prefer': 'code=unavailable' });
    const [call] = await journal(world);
    const page = await open(served.url, `/${world.key}/send?from=${call?.id ?? ''}`, { expected });
    await page.getByLabel('Path').waitFor();
    expect(await page.getByRole('textbox', { name: 'Headers' }).inputValue()).toContain(
      'x-sandbox-prefer: code=unavailable',
    );
    await press(page, 'Send request');
    await responseOf(page).getByText('unavailable', { exact: true }).waitFor();
    const [again] = await journal(world);
    expect([again?.id === call?.id, again?.request.body]).toStrictEqual([false, call?.request.body]);
  });

  it('compares a retry with the first attempt, and a duplicate with the original', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.post('/_sandbox/rules', {
      id: 'twice',
      when: 'webhook.deliver',
      then: { webhook: { duplicate: 1, body: 'reformatted' } },
    });
    await world.inbound(ada, { text: 'Hello?' });
    await world.idle();
    const deliveries = await world.deliveries();
    expect(deliveries).toHaveLength(2);
    const page = await open(served.url, `/${world.key}/webhooks/deliveries/${deliveries[1]?.id ?? ''}`);
    await page.getByRole('link', { name: 'Compare with the original' }).click();
    await page.getByRole('region', { name: 'Request headers' }).locator('ins').first().waitFor();
    await world.post(`/_sandbox/deliveries/${deliveries[0]?.id ?? ''}/redeliver`, {
      webhook: { signature: 'missing' },
    });
    await world.idle();
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/webhooks/deliveries/${deliveries[0]?.id ?? ''}`);
    await page.getByRole('link', { name: 'Compare with attempt 1' }).click();
    const headers = page.getByRole('region', { name: 'Request headers' });
    expect(await headers.locator('del').allTextContents()).toContainEqual(
      expect.stringMatching(/^−x-service-signature: /i) as string,
    );
  });

  it('works by keyboard alone', async ({ world }) => {
    await world.put(`/_sandbox/customers/${ada}/window`, { open: true });
    const page = await open(served.url, `/${world.key}/send/text`);
    await page.getByRole('textbox', { name: 'Text' }).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await responseOf(page).getByText('"accepted"').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Send text');
    expect((await journal(world))[0]?.request.body).toMatchObject({ text: 'By keyboard' });
  });

  it.each(looksOf('send'))('has no violation of accessibility: $name', async (look) => {
    const world = served.world();
    await world.template('order_shipped');
    const page = await open(served.url, `/${world.key}/send/text`, { ...look, expected });
    for (const [tab, button] of [
      ['Text', 'Send text'],
      ['Batch', 'Send batch'],
      ['Verification', 'Verify code'],
      ['Endpoint', 'Register endpoint'],
      ['Raw', 'Send request'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Requests to send' }).getByRole('link', { name: tab }).click();
      await press(page, button);
      await responseOf(page).getByRole('link', { name: 'Open request' }).waitFor();
      expect(await accessFaults(page)).toStrictEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(look.width);
    }
  });
});
