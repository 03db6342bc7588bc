/** Prints docs/cli.md: `npx tsx scripts/cli-docs.ts > docs/cli.md`. */
import { cliPage } from './cli-docs/page.js';

process.stdout.write(await cliPage());
