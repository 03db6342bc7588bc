/** Builds dist/. `--page` builds only the web page, for those who work on it. */
import { rm } from 'node:fs/promises';
import { compile, writeDist } from './dist.js';
import { buildPage } from './page.js';

if (process.argv.includes('--page')) {
  await buildPage('dist/ui');
} else {
  await rm('dist', { recursive: true, force: true });
  await writeDist('dist', compile);
}
