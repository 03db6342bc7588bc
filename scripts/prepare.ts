/**
 * Runs after `npm ci` and before `npm pack`: the build. The first `npx messaging-sandbox …` in this folder also makes
 * npm prepare the package. An existing build is then kept: otherwise, a running sandbox would lose its files.
 */
import { existsSync } from 'node:fs';

if (process.env['npm_command'] !== 'exec' || !existsSync('dist/cli/main.js')) {
  await import('./generate.js');
  await import('./build.js');
}
