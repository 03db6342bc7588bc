import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { withRun, changesOf, type Run } from '../../src/ui/page/panels/scenario/runs.js';
import { accessFaults, describeInBrowser, looksOf, useServedPage } from '../support/browser.js';

const ada = '+12025550110';

const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
const file = join(folder, 'mine.yaml');
const text = `version: 1
name: mine
rules:
  - id: down-once
    when: message.send
    pick: { first: 1 }
    then: { respond: { status: 503 } }
timeline:
  - { at: +1h, inbound: { from: '${ada}', text: Where is it? } }
  - { at: +3h, inbound: { from: '${ada}', text: Hello? } }
expect:
  - at: +4h
    that: messages
    where: { direction: outbound }
    min: 1
    because: A refused send has to be tried again.
`;
writeFileSync(file, text);
afterAll(() => rmSync(folder, { recursive: true }));

describeInBrowser('the runs of a scenario', () => {
  const { it, open, served } = useServedPage(['--clock', 'frozen:2026-03-01T09:00:00Z', '--scenario', file]);

  it('plays to the end, step by step, and compares the run with the one before', async ({ world }) => {
    const trySend = () => world.call('POST', '/v1/messages', { to: ada, type: 'text', text: 'Hello' });
    await trySend();
    const page = await open(served.url, `/${world.key}/scenario`);
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('Running', { exact: true }).waitFor();
    expect(await page.getByRole('group', { name: 'Previous run' }).count()).toBe(0);
    const steps = page.getByRole('list', { name: 'Timeline' });
    await steps.getByText('planned').first().waitFor();
    await page.getByRole('button', { name: 'Play to the end' }).click();
    await verdict.getByText('Failed', { exact: true }).waitFor();
    expect(await steps.getByText('done', { exact: true }).count()).toBe(2);
    expect((await world.clock()).now).toBe('2026-03-01T13:00:00.000Z');
    await page.getByText(/It ended/).waitFor();

    await page.getByRole('button', { name: 'Restart', exact: true }).click();
    await verdict.getByText('Running', { exact: true }).waitFor();
    await verdict.getByText('Previous run: 0 passed, 1 failed, 0 open.').waitFor();
    expect([(await trySend()).status, (await trySend()).status]).toStrictEqual([503, 200]);
    await page.getByRole('button', { name: 'Play to the end' }).click();
    await verdict.getByText('Passed', { exact: true }).waitFor();
    const changed = verdict.getByRole('group', { name: 'Previous run' }).getByRole('listitem');
    expect(await changed.innerText()).toMatch(/failed\s*→\s*passed\s*messages .*tried again.* \(\+4h\)/s);
    await page.reload();
    await changed.waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
  });

  it('saves where a file is mounted: over it, and under a new name beside it', async ({ world }) => {
    const page = await open(served.url, `/${world.key}/scenario/editor/mine`, { expected: /status of 40[09]/ });
    const editor = page.getByRole('textbox', { name: 'Scenario' });
    await editor.getByText('down-once').waitFor();
    await editor.press('Control+End');
    await page.keyboard.insertText('# changed by hand\n');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(`Saved in ${file}.`).waitFor();
    expect(readFileSync(file, 'utf8')).toBe(`${text}# changed by hand\n`);
    await page.getByText('changed, and stored in this tab only').waitFor({ state: 'detached' });

    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/scenario/editor/flaky-api`);
    await page.getByRole('button', { name: 'Save as …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save the scenario' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('my-flaky-api');
    await dialog.getByLabel('Name').fill('flaky-api');
    await dialog.getByText('The scenario flaky-api cannot be replaced. Choose another name.').waitFor();
    await dialog.getByLabel('Name').fill('no/slashes');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/1 to 100 letters/)
      .first()
      .waitFor();
    await dialog.getByLabel('Name').fill('mine');
    await dialog.getByText('Replaces the file mine.').waitFor();
    await dialog.getByLabel('Name').fill('flakier');
    await dialog.getByText(`Creates ${folder}/flakier.yaml.`).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.url()).toContain('/scenario/editor/flakier');
    expect(readFileSync(join(folder, 'flakier.yaml'), 'utf8')).toContain('name: flaky-api');
    await page.goto(`${served.url}/_sandbox/ui#/${world.key}/scenario/library`);
    await page.getByText(join(folder, 'flakier.yaml')).waitFor();
  });

  it.each(looksOf('runs'))('has no violation of accessibility: $name', async (look) => {
    const world = served.world();
    const page = await open(served.url, `/${world.key}/scenario`, look);
    await page.getByRole('button', { name: 'Play to the end' }).waitFor();
    expect(await accessFaults(page)).toStrictEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });
});

it('tells runs apart that began at one instant, and keeps the one that came to something', () => {
  const run = (hits: number, a: 'passed' | 'failed' | 'open'): Run => ({ activatedAt: 'x', hits, states: { a } });
  const none = { current: null, previous: null };
  const first = withRun(withRun(none, run(0, 'open')), run(2, 'failed'));
  expect(first).toStrictEqual({ current: run(2, 'failed'), previous: null });
  const second = withRun(withRun(first, run(0, 'open')), run(1, 'passed'));
  expect(second).toStrictEqual({ current: run(1, 'passed'), previous: run(2, 'failed') });
  expect(changesOf(run(2, 'failed'), run(1, 'passed'))).toStrictEqual([{ check: 'a', was: 'failed', is: 'passed' }]);
  const other = { ...run(1, 'open'), activatedAt: 'y' };
  // This run had no result, so the one before it is used for the comparison.
  expect(withRun(withRun(second, other), { ...other, activatedAt: 'z' }).previous).toStrictEqual(run(1, 'passed'));
});
