/** Prints docs/control-plane.md: `npx tsx scripts/control-docs.ts > docs/control-plane.md`. */
import { controlPage } from './control-docs/page.js';

process.stdout.write(await controlPage());
