/** Prints docs/certify.md: `npx tsx scripts/certify-docs.ts > docs/certify.md`. */
import { certifyPage } from './certify-page.js';

process.stdout.write(await certifyPage());
