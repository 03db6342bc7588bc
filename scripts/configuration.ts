/** Prints docs/configuration.md: `npx tsx scripts/configuration.ts > docs/configuration.md`. */
import { configurationPage } from './configuration-page.js';

process.stdout.write(await configurationPage());
