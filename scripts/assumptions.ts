/** Prints docs/assumptions.md: `npx tsx scripts/assumptions.ts > docs/assumptions.md`. */
import { assumptionsPage } from './assumptions-page.js';

process.stdout.write(await assumptionsPage());
