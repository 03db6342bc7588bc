import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { describeInBrowser, looksOf, accessFaults, savedBy, useServedPage } from '../support/browser.js';
import type { World } from '../support/client.js';

const ada = '+12025550110';

/** Returns the text of the editor, which renders a line as an element. */
const textOf = async (editor: Locator) => (await editor.locator('.cm-line').allTextContents()).join('\n');

/** Replaces the text of the editor by keyboard, like a user. */
const write = async (editor: Locator, text: string) => {
  await editor.press('Control+A');
  await editor.press('Delete');
  await editor.page().keyboard.insertText(text);
};
/** A check of an invalid text, and a rejected activation, get 400, which browsers report in the console. */
const refused = { expected: /status of 400/ };

const down = `version: 1
name: mine
rules:
  - id: down-once
    when: message.send
    pick: { first: 1 }
    then: { respond: { status: 503 } }
expect:
  - at: finish
    that: requests
    where: { operation: message.send, status: 2xx }
    min: 1
    because: What is refused has to be tried again.
  - at: +1h
    that: messages
    min: 1
    because: Within the hour it has arrived.
`;

async function trySend(world: World): Promise<number> {
  await world.put(`/_sandbox/customers/${ada}/window`, { open: true });
  return (await world.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'Hello' })).status;
}

describeInBrowser('the scenario panel', () => {
  const { it, open, served } = useServedPage();

  it('says what to do where nothing is active, switches scenarios, and ends them', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario`);
    await page.getByRole('heading', { name: 'No scenario is active' }).first().waitFor();
    await page.getByText(/curl (?:-s )?-X PUT/).waitFor();
    await page.getByRole('button', { name: 'Choose a scenario' }).click();
    await page.getByRole('button', { name: /^otp-trouble/ }).click();
    await page.getByRole('heading', { name: 'otp-trouble', exact: true }).waitFor();
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: 'otp-trouble' });
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('heading', { name: 'No scenario is active' }).first().waitFor();
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: null });
  });

  it('counts what rules strike as it happens', async ({ world }) => {
    await world.call('PUT', '/_sandbox/scenario', down, { 'content-type': 'application/yaml' });
    const page = await open(served.url, `/${world.key}/scenario`);
    const rule = page.getByRole('article', { name: 'Rule down-once' });
    await rule.getByText('0 hits').waitFor();
    expect(await trySend(world)).toBe(503);
    await rule.getByText('1 hit').waitFor();
    await rule.getByText(/^last .* on \+12025550110$/).waitFor();
  });

  it('brings the rule into sight that a link names, and draws of many only what is in sight', async ({ world }) => {
    const many = Array.from(
      { length: 300 },
      (_, i) => `  - { id: rule-${i}, when: message.send, then: { respond: { status: 503 } } }`,
    );
    const text = `version: 1\nname: many\nrules:\n${many.join('\n')}\n`;
    await world.call('PUT', '/_sandbox/scenario', text, { 'content-type': 'application/yaml' });
    const page = await open(served.url, `/${world.key}/scenario?rule=rule-299`);
    const named = page.getByRole('article', { name: 'Rule rule-299' });
    await named.and(page.locator('[aria-current=true]')).waitFor();
    expect(await page.locator('[aria-current=true].rule').count()).toBe(1);
    const inSight = async (name: string) => {
      const { y, height } = (await page.getByRole('article', { name, exact: true }).boundingBox())!;
      return y >= 0 && y + height <= page.viewportSize()!.height;
    };
    expect([await inSight('Rule rule-299'), await page.getByRole('article').count()]).toStrictEqual([
      true,
      expect.toSatisfy((drawn: number) => drawn < 60),
    ]);
  });

  it('shows the verdict turn, and what is open until its instant', async ({ world }) => {
    await world.call('PUT', '/_sandbox/scenario', down, { 'content-type': 'application/yaml' });
    const page = await open(served.url, `/${world.key}/scenario`);
    await page.getByText('Running', { exact: true }).waitFor();
    await page.getByText('0 passed, 0 failed, 2 open').waitFor();
    expect([await trySend(world), await trySend(world)]).toStrictEqual([503, 200]);
    await page.getByText('1 passed, 0 failed, 1 open').waitFor();
    await page.getByText('Running', { exact: true }).waitFor();
    await world.advance('1h');
    await page.getByText('Passed', { exact: true }).waitFor();
    await page.getByText('2 passed, 0 failed, 0 open').waitFor();
    const junit = await savedBy(page, () => page.getByRole('button', { name: 'Download JUnit' }).click());
    expect(junit).toMatchObject({ name: 'verdict.xml', text: expect.stringContaining('<testsuites') as string });
    const words = await savedBy(page, () => page.getByRole('button', { name: 'Download Markdown' }).click());
    expect(words).toMatchObject({ name: 'verdict.md', text: expect.stringContaining('mine: passed') as string });
  });

  it('links a failed check to the records that failed it', async ({ world }) => {
    const timeline = [{ at: '+1m', inbound: { from: '+12025550123', text: 'hi' } }];
    const expected = [{ at: 'finish', that: 'requests', max: 0 }];
    await world.put('/_sandbox/scenario', { version: 1, name: 'mine', timeline, expect: expected });
    await world.get('/v1/templates');
    await world.advance('1m');
    const page = await open(served.url, `/${world.key}/scenario`);
    const link = page.getByRole('list', { name: 'Expectations' }).getByRole('link', { name: /^req_/ });
    const id = await link.textContent();
    await link.click();
    await page.waitForURL(({ hash }) => hash === `#/${world.key}/requests/${id}`);
    await page.getByText('GET /v1/templates').first().waitFor();
  });

  it('tells beside the verdict which steps of the timeline were passed over, with expectations and without', async ({
    world,
  }) => {
    const timeline = [{ at: '+1m', template: { name: 'nowhere', status: 'paused' } }];
    const expected = [{ at: 'finish', that: 'messages', max: 0 }];
    await world.put('/_sandbox/scenario', { version: 1, name: 'mine', timeline, expect: expected });
    const page = await open(served.url, `/${world.key}/scenario`);
    await page.getByText('Running', { exact: true }).waitFor();
    await page.getByText('The application made no call').waitFor();
    await world.get('/v1/templates');
    await page.getByText('Passed', { exact: true }).waitFor();
    expect(await page.getByRole('list', { name: 'Warnings' }).count()).toBe(0);
    await world.advance('1m');
    const warning = page.getByRole('list', { name: 'Warnings' }).getByRole('listitem');
    await warning.getByText(/^The step "template" .* was skipped: there is no template "nowhere"\.$/).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await world.put('/_sandbox/scenario', { version: 1, name: 'mine', timeline });
    await page.getByText('It has no expectations').waitFor();
    expect(await warning.count()).toBe(0);
    await world.advance('1m');
    await warning.getByText(/was skipped/).waitFor();
  });

  it('shows how far the timeline has got', async ({ world }) => {
    await world.put('/_sandbox/scenario', { name: 'webhook-chaos' });
    const page = await open(served.url, `/${world.key}/scenario`);
    const steps = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
    await steps.first().getByText('next').waitFor();
    await world.advance('10s');
    await steps.first().getByText('done').waitFor();
    await steps.nth(1).getByText('next').waitFor();
  });

  it('shows a mistake at its line while one types, corrects it, and activates', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario/editor`, refused);
    const text = page.getByRole('textbox', { name: 'Scenario' });
    await page.getByText('It can be activated.').waitFor();
    await write(text, down.replace('message.send', 'message.snd'));
    await page.getByText('1 error to correct').waitFor();
    await page.locator('.cm-gutter-lint .cm-lint-marker-error').waitFor();
    await page.getByRole('button', { name: 'Line 5' }).click();
    expect(await page.locator('.cm-line.cm-activeLine').textContent()).toContain('message.snd');
    await page.getByRole('button', { name: 'Activate this' }).click();
    await page.getByText('Still no scenario is active.').waitFor();
    expect(await world.get('/_sandbox/scenario')).toMatchObject({ name: null });
    await page.getByRole('button', { name: 'Write message.send' }).click();
    await page.getByText('It can be activated.').waitFor();
    expect(await textOf(text)).toBe(down);
    await page.getByRole('button', { name: 'Activate this' }).click();
    await page.getByRole('heading', { name: 'mine', exact: true }).waitFor();
    expect(await trySend(world)).toBe(503);
  });

  it('keeps the active one when a bad text is activated, and the text over a reload', async ({ world }) => {
    await world.put('/_sandbox/scenario', { name: 'happy-path' });
    const page = await open(served.url, `/${world.key}/scenario/editor/rate-limited`, refused);
    const text = page.getByRole('textbox', { name: 'Scenario' });
    await page.getByText('It can be activated.').waitFor();
    expect(await textOf(text)).toContain('name: rate-limited');
    await write(text, 'name: rate-limited\n');
    await page.getByRole('button', { name: 'Activate this' }).click();
    await page.getByText('happy-path stays active.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Write version: 1' }).waitFor();
    expect(await textOf(text)).toBe('name: rate-limited\n');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('It can be activated.').waitFor();
    expect(await textOf(text)).toContain('limit: { rate: 10/s');
  });

  it('activates the text that one chose last, though one chosen before comes after it', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario`);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const file = /\/scenarios\/rate-limited$/;
    await page.route(file, async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(file);
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/scenario/editor/rate-limited`);
    await asked;
    await page.getByRole('link', { name: 'Your own' }).click();
    await page.getByText('It can be activated.').waitFor();
    const late = page.waitForResponse(file);
    letGo();
    await (await late).finished();
    await page.getByRole('button', { name: 'Activate this' }).click();
    await page.getByRole('heading', { name: 'mine', exact: true }).waitFor();
  });

  it('completes a key and a value, explains a key, inserts a rule by intention, formats, uploads and downloads', async ({
    world,
  }) => {
    const page = await open(served.url, `/${world.key}/scenario/editor`, refused);
    const text = page.getByRole('textbox', { name: 'Scenario' });
    await page.getByText('It can be activated.').waitFor();
    await write(text, 'version: 1\nname: typed\n');
    await page.keyboard.type('clo');
    await page.getByRole('option', { name: 'clock' }).click();
    await page.keyboard.type('{mode: fro');
    await page.getByRole('option', { name: 'frozen' }).click();
    await page.keyboard.type('}');
    expect(await textOf(text)).toBe('version: 1\nname: typed\nclock: {mode: frozen}');
    await page.locator('.cm-line').last().getByText('mode').hover();
    await page.getByText('follows the machine').waitFor();
    await page.getByRole('button', { name: 'Insert' }).click();
    await page.getByRole('button', { name: 'Rate limit' }).click();
    await page.getByRole('button', { name: 'Format' }).click();
    await expect.poll(() => textOf(text)).toContain('clock: { mode: frozen }\nrules:\n  - id: rate-limit');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('typed.yaml');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload' }).click(),
    ]);
    await chooser.setFiles({ name: 'a.yaml', mimeType: 'text/yaml', buffer: Buffer.from(down) });
    await expect.poll(() => textOf(text)).toBe(down);
    await page.getByRole('button', { name: 'Activate this' }).click();
    await page.getByRole('heading', { name: 'mine', exact: true }).waitFor();
  });

  it('adds a rule by hand, says what is wrong with one, and removes it', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario`, refused);
    const field = page.getByRole('textbox', { name: 'A new rule, in YAML' });
    await field.fill('id: by-hand\nwhen: message.snd\nthen: { respond: { status: 503 } }');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('Did you mean message.send?').waitFor();
    await field.fill('id: by-hand\nwhen: message.send\nthen: { respond: { status: 503 } }');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const rule = page.getByRole('article', { name: 'Rule by-hand' });
    await rule.getByText('0 hits').waitFor();
    expect(await trySend(world)).toBe(503);
    await rule.getByText('1 hit').waitFor();
    await page.getByRole('button', { name: 'Remove by-hand' }).click();
    await rule.waitFor({ state: 'detached' });
    expect(await trySend(world)).toBe(200);
  });

  it('shows hostile words as words', async ({ world }) => {
    const hostile = '<img src=x onerror="document.title=1">';
    await world.put('/_sandbox/scenario', { version: 1, name: 'mine', description: hostile, rules: [] });
    const page = await open(served.url, `/${world.key}/scenario`);
    await page.getByText(hostile).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('lists the files and the magic words', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario/library`);
    await page.getByRole('button', { name: 'Activate flaky-api' }).click();
    await page.getByRole('heading', { name: 'flaky-api', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open in the editor flaky-api' }).click();
    await page.getByText('It can be activated.').waitFor();
    await page.getByRole('link', { name: 'Magic' }).click();
    await page.getByRole('button', { name: 'Copy number +12025550120' }).waitFor();
    await page.getByRole('button', { name: 'Copy ending _reject' }).waitFor();
  });

  it.each(looksOf('scenario'))('has no violation of accessibility: $name', async (look) => {
    const world = served.world();
    await world.put('/_sandbox/scenario', { name: 'webhook-chaos' });
    await world.post('/_sandbox/rules', { id: 'mine', when: 'message.send', then: { respond: { status: 503 } } });
    await trySend(world);
    const page = await open(served.url, `/${world.key}/scenario`, { ...look, ...refused });
    await page.getByText('1 hit').waitFor();
    await page.getByText('Running', { exact: true }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await page.getByRole('link', { name: 'Editor' }).click();
    await write(page.getByRole('textbox', { name: 'Scenario' }), 'version: 1\nname: mine\nruls: []\n');
    await page.getByRole('button', { name: 'Write rules' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    for (const [tab, seen] of [
      ['Library', 'Codes expire early, lock early'],
      ['Magic', 'Stays pending.'],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await page.getByText(seen).first().waitFor();
      expect(await accessFaults(page)).toStrictEqual([]);
    }
  });
});
