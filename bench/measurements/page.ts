/** The page in a browser, opened on an account that has been used for a long time, while messages keep coming. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';
import { builtCli } from '../support/built.js';
import type { Figure } from '../support/figure.js';
import { benchKey, call, load } from '../support/load.js';
import { approveTemplate, fill, recipient, templateSend } from '../support/messages.js';
import { pause } from '../support/process.js';
import { startSandboxProcess, type Server } from '../support/servers.js';
import type { Settings } from '../support/settings.js';

const messages = 10_000;
const entries = 50_000;
/** Messages that come while the page is open, and the pause before each, in machine milliseconds. */
const arriving = 60;
const arrivalMs = 50;
/** Machine milliseconds of quiet after the last of them. */
const afterMs = 1_000;
/** Machine milliseconds until a page that shows nothing counts as broken. */
const patienceMs = 60_000;

/** @throws Error where no chromium is on the PATH, nor named in CHROMIUM_PATH */
export async function page({ rounds }: Settings): Promise<Figure[]> {
  const server = await startSandboxProcess('--max-journal', String(2 * entries));
  const browser = await startBrowser();
  try {
    const message = await furnish(server);
    const visits: Visit[] = [];
    // The first fills the caches of the disk and is not counted.
    for (let round = -1; round < rounds; round += 1) {
      const seen = await visit(browser, server, message, round + 1);
      if (round >= 0) visits.push(seen);
    }
    const ms = (what: string, part: keyof Visit, most: number): Figure => ({
      what,
      unit: 'ms',
      values: visits.map((each) => each[part]),
      goal: { of: 'value', most },
    });
    return [
      ms('opened until the conversations can be used', 'interactiveMs', 1_500),
      ms('longest task of the script while the page opens', 'longestOpeningMs', 200),
      ms(
        `longest task while ${arriving} messages come in ${(arriving * arrivalMs) / 1_000} s`,
        'longestArrivingMs',
        100,
      ),
      ms('journal opened until its newest call is shown', 'journalMs', 1_000),
      { what: 'script, gzipped', unit: 'kB', values: [await scriptKb()], goal: { of: 'value', most: 100 } },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** @returns the id of a message, looked up again and again to fill the journal */
async function furnish({ url }: Server): Promise<string> {
  await approveTemplate(url);
  await fill(url, messages);
  await call(`${url}/_sandbox/clock/advance`, 'POST', { by: '1h' });
  const { items } = await call<{ items: { message_id: string }[] }>(`${url}/_sandbox/messages?limit=1`);
  const id = items[0]?.message_id ?? '';
  await load({ url: `${url}/v1/messages/${id}`, method: 'GET', amount: entries });
  return id;
}

interface Visit {
  readonly interactiveMs: number;
  readonly longestOpeningMs: number;
  readonly longestArrivingMs: number;
  readonly journalMs: number;
}

/** A new window each time, with an empty cache. Times are those of the browser's own clock. */
async function visit(browser: Browser, { url }: Server, message: string, round: number): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const tab = await context.newPage();
    tab.setDefaultTimeout(patienceMs);
    await tab.addInitScript(watchTasks);
    await tab.goto(`${url}/_sandbox/ui#/${benchKey}/handset`);
    const first = tab.locator('.conversation-entry').first();
    await first.waitFor();
    // A click is taken up only when the script has come to rest: the conversation then opens.
    await first.click();
    await tab.getByRole('article').first().waitFor();
    const interactiveMs = await tab.evaluate<number>('performance.now()');
    const longestOpeningMs = await tab.evaluate<number>('longestTask()');
    for (let n = 0; n < arriving; n += 1) {
      await call(`${url}/v1/messages`, 'POST', templateSend(recipient(round * arriving + n)));
      await pause(arrivalMs);
    }
    await pause(afterMs);
    const longestArrivingMs = await tab.evaluate<number>('longestTask()');
    const from = await tab.evaluate<number>('performance.now()');
    await tab.goto(`${url}/_sandbox/ui#/${benchKey}/requests`);
    await tab
      .locator('main a')
      .filter({ hasText: message })
      .or(tab.locator('main a').filter({ hasText: '/v1/messages' }))
      .first()
      .waitFor();
    const journalMs = (await tab.evaluate<number>('performance.now()')) - from;
    return { interactiveMs, longestOpeningMs, longestArrivingMs, journalMs };
  } finally {
    await context.close();
  }
}

/** Runs in the page before its script: the longest task since it was last asked. The browser reports those over 50 ms. */
const watchTasks = `
  let longest = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  });
  observer.observe({ type: 'longtask', buffered: true });
  globalThis.longestTask = () => {
    for (const { duration } of observer.takeRecords()) longest = Math.max(longest, duration);
    const answer = longest;
    longest = 0;
    return answer;
  };
`;

async function scriptKb(): Promise<number> {
  const folder = join(dirname(await builtCli()), '../ui/assets');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  return scripts.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0) / 1_000;
}

async function startBrowser(): Promise<Browser> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = folders.flatMap((folder) => ['chromium', 'google-chrome'].map((name) => join(folder, name)));
  const executablePath = process.env['CHROMIUM_PATH'] ?? found.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('No chromium was found: install it, or name it in CHROMIUM_PATH.');
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}
