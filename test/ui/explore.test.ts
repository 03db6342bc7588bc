/** The panel Explore, with the report of a real exploration. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, startCli, type CliServer } from '../support/cli.js';
import { describeInBrowser, useBrowser } from '../support/browser.js';

const dir = mkdtempSync(join(tmpdir(), 'ui-explore-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

describeInBrowser('the panel Explore', () => {
  const { open } = useBrowser();
  let server: CliServer;
  beforeAll(async () => {
    server = await startCli();
    const command = ['node', 'test/explore/apps/campaign.mjs'];
    // After a rejection with 503, the template is never submitted again: this is one of the first faults tried.
    await runCli(['explore', '--out', dir, '--max-runs', '6', '--pairs', '0', '--json', '--', ...command], {
      FAULT: 'no-retry',
    });
  }, 120_000);
  afterAll(() => server.stop());

  it('says what to do if there is no exploration', async () => {
    const page = await open(server.url, '/test_default/explore');
    await page.getByText('messaging-sandbox explore -- npm test').waitFor();
  });

  it('shows a red cell with both end states, where the runs diverge, and the file', async () => {
    const page = await open(server.url, '/test_default/explore');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open report.json' }).click();
    await (await choosing).setFiles(join(dir, 'report.json'));
    await page.getByRole('columnheader', { name: '503', exact: true }).waitFor();
    const report = JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8')) as {
      breaks: { fault: string; file: string; scenario: string }[];
    };
    const [first] = report.breaks;
    if (!first) throw new Error('nothing broke');
    await page.getByRole('button', { name: `${first.fault}: broken` }).click();
    const detail = page.getByRole('complementary', { name: 'The try' });
    await detail.getByRole('heading', { name: first.fault }).waitFor();
    expect(await detail.getByRole('table', { name: 'End state' }).getByRole('row').count()).toBeGreaterThan(2);
    expect(await detail.getByRole('list', { name: 'With the fault' }).textContent()).toContain('→');
    const downloading = page.waitForEvent('download');
    await detail
      .getByRole('button', { name: `Download ${first.file}` })
      .first()
      .click();
    const saved = join(dir, 'downloaded.yaml');
    await (await downloading).saveAs(saved);
    expect(readFileSync(saved, 'utf8')).toBe(first.scenario);
    expect(page.url()).toContain('/explore/');
  });
});
