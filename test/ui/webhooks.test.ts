import { expect } from 'vitest';
import { describeInBrowser, useServedPage } from '../support/browser.js';
import { genuine, SECRET, startReceiver } from '../certify/receiver.js';
import { closing } from '../support/closing.js';

const ada = '+12025550110';

describeInBrowser('webhooks', () => {
  const { it, open, served } = useServedPage();

  it('answer first: status, attempt, next try, signature; then list the attempts, the latest first', async ({
    world,
  }) => {
    await world.put('/_sandbox/sink/app', { respond: [{ status: 503 }] });
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada);
    await world.idle();
    const page = await open(served.url, `/${world.key}/webhooks`);
    await page
      .getByRole('row', { name: /retrying/ })
      .getByRole('link')
      .click();
    const answer = page.getByRole('article').getByRole('status').first();
    await answer.getByText('signature valid').waitFor();
    expect((await answer.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
      /^503 attempt 1 of 27 \d+ ms next 09:01:00 signature valid/,
    );
    await page.getByText('Failed once, next 09:01:00, then +5 m, +30 m, hourly.').waitFor();
    await world.advance('3h');
    const attempts = page.getByRole('navigation', { name: /^Attempts/ }).getByRole('listitem');
    await attempts.first().getByText('Attempt 6').waitFor();
    expect(await attempts.count()).toBe(3);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => attempts.count()).toBe(6);
    await attempts.last().getByRole('link').click();
    await page.getByRole('region', { name: 'Request of attempt 1' }).waitFor();
    await page.getByRole('button', { name: 'Show the latest' }).click();
    await expect.poll(() => attempts.count()).toBe(4);
  });

  it('show the result of a redelivery where the eye is', async ({ world }) => {
    await world.put('/_sandbox/sink/app', { respond: [{ status: 500, times: 1 }, { status: 202 }] });
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada);
    await world.idle();
    const [delivery] = await world.deliveries();
    const page = await open(served.url, `/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`);
    await page.getByRole('button', { name: 'Redeliver' }).click();
    const result = page.getByRole('status').filter({ hasText: /^\s*202\s*Attempt 2$/ });
    await result.waitFor();
    const box = await result.boundingBox();
    expect(box?.y).toBeLessThan(400);
    await page
      .getByRole('navigation', { name: /^Attempts/ })
      .getByRole('link')
      .first()
      .getByText('Attempt 2')
      .waitFor();
  });

  it('check a signature with another secret, and redeliver with a fault', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.received']);
    await world.inbound(ada);
    await world.idle();
    const [delivery] = await world.deliveries();
    const page = await open(served.url, `/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`);
    await page.locator('summary', { hasText: 'Signature' }).getByText('valid').click();
    await page.getByRole('textbox', { name: 'Check with another secret' }).fill('whsec_other');
    await page.getByText('The signature was not made with the secret you entered.').waitFor();
    await page.getByRole('button', { name: 'With a fault …' }).click();
    await page.getByText('this attempt ends the delivery’s retry schedule').waitFor();
    await page.getByRole('combobox', { name: 'Body' }).selectOption('reformatted');
    await page.getByRole('combobox', { name: 'Signature' }).selectOption('valid');
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('A fault changed the bytes of the event.').waitFor();
    await page
      .getByRole('group', { name: 'Why' })
      .getByText('Redelivered on request with a fault: reformatted.')
      .waitFor();
    await page.locator('summary', { hasText: 'Signature' }).getByText('valid').click();
    await page.getByText('Parsed and serialised again, a common error').waitFor();
  });

  it('register an endpoint, pause it, resume it from a held delivery', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/webhooks/endpoints`, { expected: /400/ });
    await page.getByRole('button', { name: 'Register endpoint' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill('http://x');
    await page.getByRole('dialog').getByRole('button', { name: 'Register endpoint' }).click();
    await page.getByRole('dialog').getByText('url must be an absolute https:// address').waitFor();
    await page.getByRole('button', { name: 'Use the built-in receiver' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Register endpoint' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await world.inbound(ada);
    await world.idle();
    const [delivery] = await world.deliveries();
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/webhooks/deliveries/${delivery?.id ?? ''}`);
    await page.getByText('Held: the endpoint is paused.').waitFor();
    await page.getByRole('button', { name: 'Resume endpoint' }).click();
    await page.getByRole('button', { name: 'Redeliver' }).waitFor();
    await page.getByText('It is active again, so redeliver the event.').waitFor();
  });

  it('redeliver all that an endpoint has not got, from its place or from the list', async ({ world }) => {
    const { webhook_id: id } = await world.register('https://sink.sandbox/app', ['message.received']);
    const hold = async () => {
      await world.put(`/_sandbox/webhooks/${id}`, { status: 'paused' });
      for (let turn = 0; turn < 3; turn += 1) await world.inbound(ada);
      await world.idle();
      await world.put(`/_sandbox/webhooks/${id}`, { status: 'active' });
    };
    await hold();
    const page = await open(served.url, `/${world.key}/webhooks/endpoints/${id}`);
    await page.getByText('3 held deliveries').waitFor();
    await page.getByRole('button', { name: 'Redeliver all' }).click();
    await page.getByText('3 deliveries redelivered.').waitFor();
    await page.getByText('3 held deliveries').waitFor({ state: 'detached' });
    await hold();
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/webhooks/deliveries`);
    await page.getByRole('link', { name: 'Held 3' }).click();
    await page.getByRole('button', { name: 'Redeliver all' }).click();
    await page.getByRole('link', { name: 'Held 0' }).waitFor();
    expect((await world.deliveries()).every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('ask before an endpoint gets a new secret, and show it', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.received']);
    const secretOf = async () => (await world.items<{ secret: string }>('/_sandbox/webhooks'))[0]?.secret ?? '';
    const before = await secretOf();
    const page = await open(served.url, `/${world.key}/webhooks/endpoints`);
    await page
      .getByRole('row', { name: /sink\.sandbox/ })
      .getByRole('link')
      .click();
    await page.getByRole('button', { name: 'New secret …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await secretOf()).toBe(before);
    await page.getByRole('button', { name: 'New secret …' }).click();
    await dialog.getByRole('button', { name: 'Make new secret' }).click();
    await dialog.getByRole('group', { name: 'new secret' }).waitFor();
    expect(await secretOf()).not.toBe(before);
    expect(await dialog.getByRole('group', { name: 'new secret' }).textContent()).toBe(await secretOf());
  });

  it('certify a receiver, and say what it got wrong', async ({ world }) => {
    // It believes what has no signature.
    const believes = (signature: string | undefined, raw: Buffer) => signature === undefined || genuine(signature, raw);
    const { url } = closing(await startReceiver({ believes }));
    const wanted = { url: url.replace('http:', 'https:'), events: ['message.received'], secret: SECRET };
    const { id } = await world.post<{ id: string }>('/_sandbox/webhooks', wanted);
    const page = await open(served.url, `/${world.key}/webhooks/endpoints/${id}`);
    await page.getByRole('button', { name: 'Certify' }).click();
    await page.getByText(/of \d+ checks passed/).waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Failed checks' }).getByText('Expected:').count())
      .toBeGreaterThan(0);
  });

  it('emit an event on demand', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.status']);
    const page = await open(served.url, `/${world.key}/webhooks`);
    await page.getByRole('button', { name: 'Emit event' }).click();
    await page.getByRole('combobox', { name: 'Event', exact: true }).selectOption('message.status');
    await page.getByRole('textbox', { name: 'Data' }).fill('[1]');
    await page.getByText('This is not a JSON object.').waitFor();
    await page.getByRole('textbox', { name: 'Data' }).fill('{"status": "failed"}');
    await page.getByRole('dialog').getByRole('button', { name: 'Emit' }).click();
    await page.getByRole('heading', { name: 'message.status failed' }).waitFor();
    await page.getByRole('group', { name: 'request body' }).getByText('"failed"').first().waitFor();
  });

  it('filter by state and event, in the address', async ({ world }) => {
    await world.register('https://sink.sandbox/app', ['message.received', 'message.status']);
    await world.inbound(ada);
    await world.text(ada);
    await world.advance('2s');
    const page = await open(served.url, `/${world.key}/webhooks`);
    await page.getByRole('combobox', { name: 'Event type' }).selectOption('message.received');
    await expect.poll(() => page.getByRole('row', { name: /message\.status/ }).count()).toBe(0);
    expect(page.url()).toContain('type=message.received');
    await page.getByRole('link', { name: 'Failed 0' }).click();
    await page.getByRole('heading', { name: 'No delivery matches' }).waitFor();
  });
});
