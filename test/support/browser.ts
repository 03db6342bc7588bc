/** A real browser for tests of the web UI: one per run, a context per file, a new tab per test. Every error in it fails the test. */
import { text } from 'node:stream/consumers';
import axe from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, test } from 'vitest';
import { newWorld, type World } from './client.js';
import { isFull } from './property.js';

const missing =
  'No chromium was found. Install it (Debian: apt-get install --no-install-recommends chromium), or name it in CHROMIUM_PATH.';

/** Where the one browser of the run takes connections. */
const endpoint = inject('browser');

/** A `describe` of tests that need a browser. Without one they fail in CI, and are skipped loudly elsewhere. */
export function describeInBrowser(name: string, body: () => void): void {
  if (endpoint !== null) {
    describe(name, body);
  } else if (process.env['CI'] !== undefined && process.env['CI'] !== 'false') {
    describe(name, () => {
      it('has a browser', () => expect.fail(missing));
    });
  } else {
    process.stderr.write(`\nSKIPPED: ${name}. ${missing}\n\n`);
    describe.skip(name, body);
  }
}

/** A step that takes longer than this has failed; shorter than a test's own limit, so that the step is named. */
const mostWaitMs = 25_000;

export interface Look {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Console errors that this test provokes; all others fail it. */
  readonly expected?: RegExp;
}

export interface Visits {
  /** A new window at a place of the page, such as `/test_default/messages`. */
  readonly open: (url: string, place?: string, look?: Look) => Promise<Page>;
}

/** To be called once in a file's `describeInBrowser`. */
export function useBrowser(): Visits {
  let browser: Browser;
  let context: BrowserContext;
  /** The tab that the next test takes: a new one takes a process of its own, and most of the time of a short test. */
  let free: Page | undefined;
  const expectedIn = new Map<Page, RegExp | undefined>();
  const problems: string[] = [];

  beforeAll(async () => {
    browser = await chromium.connect(endpoint ?? '');
    context = await browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(mostWaitMs);
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    free = undefined;
    for (const page of context.pages()) {
      if (free === undefined && (await isEmptied(page))) free = page;
      else await page.close();
    }
    expectedIn.clear();
    await context.clearPermissions();
    expect(problems.splice(0), 'what the browser complained of').toStrictEqual([]);
  });

  const newPage = async (): Promise<Page> => {
    const page = await context.newPage();
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      const said = message.text();
      if (message.type() === 'error' && expectedIn.get(page)?.test(said) !== true) problems.push(said);
    });
    return page;
  };

  return {
    open: async (url, place = '', { theme = 'light', width = 1280, height = 800, expected } = {}) => {
      const page = free ?? (await newPage());
      free = undefined;
      expectedIn.set(page, expected);
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(`${url}/_sandbox/ui#${place}`);
      return page;
    },
  };
}

/** Takes from a tab what a test left in it. Returns whether another test can have it. */
async function isEmptied(page: Page): Promise<boolean> {
  try {
    await page.unrouteAll();
    await page.mouse.move(0, 0);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.goto('about:blank');
    return true;
  } catch {
    return false;
  }
}

export interface Served {
  readonly url: string;
  /** Returns an account of its own. */
  readonly world: (key?: string) => World;
}

let worlds = 0;

/** Returns a key that no other process has, and that begins no other key. */
const newKey = () => `world-${process.pid}-${String((worlds += 1)).padStart(3, '0')}`;

/**
 * The built sandbox as a user starts it, with its clock frozen at 2026-03-01T09:00:00Z, and an `it` that gives each test an
 * account of its own. All files share the sandbox.
 */
export function useServedPage() {
  const url = inject('served');
  beforeAll(() => {
    expect(url, 'There is no sandbox to test, because the build failed.').not.toBeNull();
  });
  const served: Served = { url: url ?? '', world: (key = newKey()) => newWorld({ url: served.url }, key) };
  return { ...useBrowser(), served, it: test.extend('world', () => served.world()) };
}

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** What axe finds moderate or worse in the page as it stands: rule, place and reason. */
export async function accessFaults(page: Page): Promise<string[]> {
  // Evaluated and not added as a script: the page's policy would refuse that, and shall.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const run = "axe.run(document, { resultTypes: ['violations'] })";
  const { violations } = await page.evaluate<{ violations: Violation[] }>(run);
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
    );
}

export interface SavedFile {
  readonly name: string;
  readonly text: string;
}

/** Returns the file that the page offers as a download when something is pressed. */
export async function savedBy(page: Page, press: () => Promise<void>): Promise<SavedFile> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), text: await text(await file.createReadStream()) };
}

/** Each look that a panel has to stand: both themes, from a small phone to a large screen, with one zoomed to 200 % between. */
export const looks = (['light', 'dark'] as const).flatMap((theme) =>
  [320, 390, 720, 1440].map((width) => ({ theme, width, height: 900, name: `${theme}, ${width} pixels` })),
);

/** Returns the look in which a panel is checked for accessibility: another with each commit; all of them with `FUZZ=full`. */
export function looksOf(panel: string): typeof looks {
  const first = (inject('turn') + panel.length) % looks.length;
  return isFull ? looks : looks.slice(first, first + 1);
}
