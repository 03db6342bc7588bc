import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { describeInBrowser, savedBy, useServedPage } from '../support/browser.js';
import { startCli } from '../support/cli.js';
import { closing } from '../support/closing.js';

const ada = '+12025550110';

const silent = `version: 1
name: quiet
rules:
  - id: down
    when: message.send
    pick: { calls: 1 }
    then: { respond: { status: 503 } }
timeline:
  - { at: +10m, inbound: { phone: '${ada}', text: Hello? } }
expect:
  - { at: +20m, that: messages, where: { direction: outbound }, min: 1, because: Ada wants a reply. }
`;

describeInBrowser('the scenario', () => {
  const { it, open, served } = useServedPage();

  it('shows its verdict first, here and in the header, and plays to the end', async ({ world }) => {
    await world.call('PUT', '/_sandbox/scenario', silent, { 'content-type': 'application/yaml' });
    await world.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'x' });
    const page = await open(served.url, `/${world.key}/scenario`);
    await page.getByRole('status').getByText('0 passed, 0 failed, 1 open').waitFor();
    await page.getByRole('region', { name: 'Rules of quiet' }).getByText('1 hit').waitFor();
    await page.getByRole('button', { name: 'Play to the end' }).click();
    await page.getByRole('region', { name: 'Result of the play' }).getByText('Played quiet to +20m: failed').waitFor();
    await page.getByRole('status').getByText('0 passed, 1 failed, 0 open').waitFor();
    await page.getByText('Ada wants a reply.').waitFor();
    await page.getByRole('button', { name: 'Save the verdict' }).click();
    const saved = await savedBy(page, () => page.getByRole('button', { name: 'Verdict as JUnit (XML)' }).click());
    expect([saved.name, saved.text]).toStrictEqual(['verdict.xml', expect.stringContaining('<testsuite')]);
    await page.getByRole('banner').getByText('failed').waitFor();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('heading', { name: 'No scenario is active' }).waitFor();
  });

  it('is red as soon as an expectation is violated, here and in the header', async ({ world }) => {
    const none = silent.replace('at: +20m', 'at: finish').replace('min: 1', 'max: 0').replace('calls: 1', 'calls: 9');
    await world.call('PUT', '/_sandbox/scenario', none, { 'content-type': 'application/yaml' });
    const page = await open(served.url, `/${world.key}/scenario`);
    await page.getByRole('status').getByText('1 passed, 0 failed, 0 open').waitFor();
    await world.inbound(ada);
    await world.text(ada);
    await page.getByRole('status').getByText('0 passed, 1 failed, 0 open').waitFor();
    await page.getByRole('banner').getByText('failed').waitFor();
    await page.getByRole('link', { name: /^outbound text to .* "Hello"/ }).click();
    await page.getByRole('heading', { name: `Text to ${ada}` }).waitFor();
  });

  it('is played with its progress in sight, and can be stopped', async ({ world }) => {
    await world.call('PUT', '/_sandbox/scenario', silent, { 'content-type': 'application/yaml' });
    const page = await open(served.url, `/${world.key}/scenario`, { expected: /ERR_/ });
    // A play that goes on until its caller goes away.
    await page.route(/scenario\/play$/, () => new Promise<void>(() => undefined));
    await page.getByRole('button', { name: 'Play to the end' }).click();
    const progress = page.getByRole('region', { name: 'Playing quiet' });
    await progress.getByText('Playing quiet to 09:20:00 UTC').waitFor();
    const gone = page.waitForEvent('requestfailed', (request) => request.url().endsWith('scenario/play'));
    await progress.getByRole('button', { name: 'Stop' }).click();
    await gone;
    await progress.waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.locator('.toast.bad').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
  });

  it('is legible in the editor if a call activated it as JSON on one line', async ({ world }) => {
    await world.put('/_sandbox/scenario', { version: 1, name: 'tight', rules: [] });
    const page = await open(served.url, `/${world.key}/scenario/edit/active`);
    const text = page.getByRole('textbox', { name: 'Text of the scenario' });
    await expect.poll(() => text.inputValue()).toContain('{\n  "version": 1,\n');
  });

  it('is written with the help of the sandbox: a problem leads to its line, and is corrected', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario/edit`, { expected: /400/ });
    const text = page.getByRole('textbox', { name: 'Text of the scenario' });
    await page.getByText('The text is valid.').waitFor();
    await text.fill(silent.replace('respond:', 'respnd:'));
    const problems = page.getByRole('list', { name: 'Problems' }).or(page.getByRole('alert'));
    await problems.getByRole('button', { name: 'Line 7' }).first().click();
    expect(await page.evaluate('document.activeElement.selectionStart')).toBeGreaterThan(0);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await problems.getByRole('button', { name: 'Write respond' }).click();
    await page.getByText('The text is valid.').waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('heading', { name: 'quiet' }).waitFor();
  });

  it('is chosen among the files, and a rule is added by hand', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario/files`, { expected: /400/ });
    await page.getByRole('button', { name: 'Activate flaky-api' }).click();
    await page.getByText('flaky-api is active.').waitFor();
    await page.getByRole('link', { name: 'Now' }).click();
    await page.getByText('Add a rule').click();
    const rule = page.getByRole('textbox', { name: 'A new rule, in YAML' });
    await rule.fill('when: message.snd\nthen: { respond: { status: 503 } }\n');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page
      .getByRole('alert')
      .getByText(/message\.send/)
      .waitFor();
    await rule.fill('id: mine\nwhen: message.send\nthen: { respond: { status: 503 } }\n');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('region', { name: 'Rules added by hand' }).getByText('mine').waitFor();
    await page.getByRole('button', { name: 'Remove mine' }).click();
    await page.getByRole('button', { name: 'Remove mine' }).waitFor({ state: 'detached' });
  });

  it('is saved into the folder of the scenario that the sandbox was started with', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
    closing({ close: () => rmSync(folder, { recursive: true }) });
    writeFileSync(join(folder, 'other.yaml'), 'version: 1\nname: other\n');
    const server = await startCli(['--scenario', join(folder, 'other.yaml')]);
    closing({ close: () => server.stop() });
    const page = await open(server.url, '/saver/scenario/edit');
    await page.getByText('The text is valid.').waitFor();
    await page.getByRole('button', { name: 'Save as mine' }).click();
    await page.getByText(/^Saved in/).waitFor();
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toContain('down-once');
  });
});
