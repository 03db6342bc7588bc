/**
 * Runs after `npm ci` and before `npm pack`: the build. A build that is newer than its sources is kept: otherwise, a running
 * sandbox would lose its files. The first `npx messaging-sandbox …` in this folder also makes npm prepare the package, and
 * then any build is kept.
 */
import { existsSync } from 'node:fs';
import { isBuilt } from './is-built.js';

const command = process.env['npm_command'];
if (command === 'exec' ? !existsSync('dist/cli/main.js') : !(command === 'pack' && isBuilt('.'))) {
  await import('./generate.js');
  await import('./build.js');
}
