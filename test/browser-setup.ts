import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the browser of this run takes connections; null without one. */
    browser: string | null;
    /** A number that changes with the commit. */
    turn: number;
  }
}

/** The shell without a window takes a fifth less time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Starts one browser for the run; each test opens a new context in it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  project.provide('turn', commitNumber());
  const executablePath = findChromium();
  if (executablePath === null) {
    project.provide('browser', null);
    return undefined;
  }
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const server = await chromium.launchServer({ executablePath, args, host: '127.0.0.1' });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}

/** Returns the path of the browser: `CHROMIUM_PATH`, or the first of the usual names on the PATH. */
function findChromium(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  if (named !== undefined) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path)) ?? null;
}

/** The first digits of the commit's name, so that a second run of a commit does the same; 0 where git is missing. */
function commitNumber(): number {
  try {
    return parseInt(execFileSync('git', ['rev-parse', '--short=6', 'HEAD'], { encoding: 'utf8' }).slice(0, 6), 16);
  } catch {
    return 0;
  }
}
