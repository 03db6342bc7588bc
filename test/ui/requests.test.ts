import { expect } from 'vitest';
import { describeInBrowser, savedBy, useServedPage } from '../support/browser.js';

const ada = '+12025550110';

describeInBrowser('requests', () => {
  const { it, open, served } = useServedPage();

  it('are found by an exact status', async ({ world }) => {
    await world.call('POST', '/v1/messages', { to: 'nobody' });
    await world.text();
    await world.get('/v1/templates');
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('400');
    await expect.poll(() => page.locator('tbody .target').count()).toBe(1);
    await page.getByRole('row', { name: /400/ }).waitFor();
  });

  it('show the bodies with one click', async ({ world }) => {
    await world.text(ada, 'In the body');
    const page = await open(served.url, `/${world.key}/requests`);
    await page
      .getByRole('row', { name: /messages/ })
      .getByRole('link')
      .click();
    const body = page.getByRole('group', { name: 'request body' });
    await body.getByText('"In the body"').waitFor();
    expect((await body.boundingBox())?.y).toBeLessThan(450);
    await page.getByRole('group', { name: 'response body' }).getByText('"accepted"').waitFor();
    await page.getByRole('link', { name: `Message to ${ada}` }).waitFor();
  });

  it('say why one was rejected, and count those', async ({ world }) => {
    await world.call('POST', '/v1/messages', { to: '555', type: 'text', text: 'x' });
    await world.text(ada);
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByRole('link', { name: '4xx 1' }).click();
    await page
      .getByRole('row', { name: /E\.164|must be/ })
      .getByRole('link')
      .click();
    await page.getByRole('article').getByText('validation_error').first().waitFor();
  });

  it('replay a call, and edit one before it is sent again', async ({ world }) => {
    await world.text(ada, 'Once');
    const page = await open(served.url, `/${world.key}/requests`, { expected: /400/ });
    await page
      .getByRole('row', { name: /messages/ })
      .getByRole('link')
      .click();
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Replayed: 200.').waitFor();
    await page.getByRole('link', { name: 'Edit and resend' }).click();
    const body = page.getByRole('textbox', { name: 'Body' });
    await expect.poll(() => body.inputValue()).toContain('Once');
    await body.fill('{"to": "nobody"');
    await page.getByText('Not JSON; sent as written.').waitFor();
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByRole('region', { name: 'Response' }).getByText('validation_error').waitFor();
    await page.getByRole('textbox', { name: 'Path' }).fill('v1');
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('Invalid path "v1".').waitFor();
    const texts = (await world.items<{ text: string }>('/_sandbox/messages')).map(({ text }) => text);
    expect(texts).toStrictEqual(['Once', 'Once']);
  });

  it('list the calls that had no account', async ({ world }) => {
    await fetch(`${served.url}/v1/templates`, { headers: { authorization: 'Basic x' } });
    const page = await open(served.url, `/${world.key}/requests/rejected`);
    await page
      .getByRole('row', { name: /GET \/v1\/templates/ })
      .first()
      .getByRole('link')
      .click();
    await page.getByRole('article').getByText('unauthorized').waitFor();
  });

  it('are saved as a scenario, an archive and JSON, and cleared with an undo', async ({ world }) => {
    await world.text(ada, 'Recorded');
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByRole('row', { name: /messages/ }).waitFor();
    const press = (name: RegExp) => async () => {
      await page.getByRole('button', { name: 'Save or clear the journal' }).click();
      await page.getByRole('button', { name }).click();
    };
    const scenario = await savedBy(page, press(/^Record as scenario/));
    expect([scenario.name, scenario.text]).toStrictEqual(['recorded.yaml', expect.stringContaining('version: 1')]);
    const har = await savedBy(page, press(/^HTTP Archive/));
    expect(JSON.parse(har.text)).toMatchObject({ log: { version: '1.2' } });
    const json = await savedBy(page, press(/JSON/));
    expect(JSON.parse(json.text)).toHaveLength(1);
    await press(/^Clear journal/)();
    await page.getByRole('heading', { name: 'No requests yet' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('row', { name: /messages/ }).waitFor();
  });

  it('say once that the call asked for its outcome', async ({ world }) => {
    const call = { to: ada, type: 'text', text: 'Rejected on request' };
    await world.call('POST', '/v1/messages', call, { 'X-Sandbox-Prefer': 'status=503' });
    const page = await open(served.url, `/${world.key}/requests`);
    await page.getByRole('row', { name: /503/ }).getByRole('link').click();
    expect(await page.getByRole('group', { name: 'Why' }).innerText()).toMatch(/^Requested with X-Sandbox-Prefer\.$/);
  });
});
