import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cliPage } from '../../scripts/cli-docs/page.js';
import { commands } from '../../src/cli/registry.js';

it('docs/cli.md is what the commands say of themselves', async () => {
  const page = await cliPage();
  expect(readFileSync('docs/cli.md', 'utf8'), 'Run: npx tsx scripts/cli-docs.ts > docs/cli.md').toBe(page);
  for (const { name } of commands) expect(page).toContain(`\n## messaging-sandbox ${name}\n`);
  for (const part of ['### messaging-sandbox scenario run', '--fail-under', 'GITHUB_STEP_SUMMARY', '--set']) {
    expect(page).toContain(part);
  }
});
