/**
 * Takes the pictures in docs/images: `npx tsx scripts/screenshots.ts [NAME…]`, after `npm run build`. Starts a sandbox
 * with a frozen clock, plays the day of a small shop, and takes a picture of each place. Needs a chromium and a
 * registry.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { createSandbox } from '../src/client/create-sandbox.js';
import { playStory, storyKey } from './screenshots/story.js';

const folder = 'docs/images';
/** In bytes; a larger picture makes the README slow to load, and the package large. */
const largest = 90_000;
/** The first row of a list. */
const row = 'tbody a.target';

interface Shot {
  readonly name: string;
  readonly place: string;
  readonly theme?: 'dark';
  /** The selector of an element that is clicked first. */
  readonly click?: string;
}

const all: readonly Shot[] = [
  { name: 'page-messages', place: 'messages?status=failed', click: row },
  { name: 'page-conversations', place: 'conversations/+12025550110' },
  { name: 'page-conversations-dark', place: 'conversations/+12025550110', theme: 'dark' },
  { name: 'page-webhooks', place: 'webhooks/deliveries?state=held', click: row },
  { name: 'page-requests', place: 'requests?status=5xx', click: row },
  { name: 'page-templates', place: 'templates', click: row },
  { name: 'page-scenario', place: 'scenario' },
];
const names = process.argv.slice(2);
const shots = all.filter(({ name }) => names.length === 0 || names.includes(name));

const folders = (process.env['PATH'] ?? '').split(delimiter);
const usual = folders.flatMap((each) => ['chromium', 'google-chrome'].map((name) => join(each, name)));
const executablePath = process.env['CHROMIUM_PATH'] ?? usual.find((path) => existsSync(path));
if (executablePath === undefined) throw new Error('No chromium was found: install it, or name it in CHROMIUM_PATH.');

const sandbox = await createSandbox({ key: storyKey, clock: 'frozen:2026-03-02T09:00:00Z', logLevel: 'silent' });
const taken = await mkdtemp(join(tmpdir(), 'screenshots-'));
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
try {
  await playStory(sandbox);
  await mkdir(folder, { recursive: true });
  for (const { name, place, theme = 'light', click } of shots) {
    const viewport = { width: 1280, height: 800 };
    const context = await browser.newContext({ colorScheme: theme, reducedMotion: 'reduce', viewport });
    const page = await context.newPage();
    await page.goto(`${sandbox.url}/_sandbox/ui#/${storyKey}/${place}`);
    await page.locator('[data-connection="live"]').waitFor();
    if (click !== undefined) await page.locator(click).first().click();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(taken, `${name}.png`) });
    await context.close();
  }
  const files = shots.map(({ name }) => `${name}.png`);
  // With 256 colours, a picture takes a third of the bytes.
  const flags = ['-o', folder, '-f', 'png', '--palette', '--compressionLevel', '9'];
  const inputs = files.flatMap((file) => ['-i', join(taken, file)]);
  execFileSync('npx', ['--yes', 'sharp-cli@5.2.0', ...inputs, ...flags], { stdio: 'inherit' });
  const large = files.filter((file) => statSync(join(folder, file)).size > largest);
  if (large.length > 0) throw new Error(`Larger than ${largest} bytes: ${large.join(', ')}.`);
} finally {
  await browser.close();
  await sandbox.close();
  await rm(taken, { recursive: true });
}
