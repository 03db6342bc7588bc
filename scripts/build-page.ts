/** Builds only the web page, for those who work on it: `npx tsx scripts/build-page.ts`, then reload. */
import { buildPage } from './page.js';

await buildPage('dist/ui');
