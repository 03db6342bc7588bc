/**
 * Runs after `npm ci` and before `npm pack`: the build. The first `npx messaging-sandbox …` in this folder also makes
 * npm prepare the package. An existing build is then kept: otherwise, the caller would wait for half a minute, and a
 * running sandbox would lose its files.
 */
import { existsSync } from 'node:fs';
import { mustBuild } from './prepare/must-build.js';

if (mustBuild(process.env['npm_command'], existsSync('dist/cli/main.js'))) {
  await import('./generate.js');
  await import('./build.js');
}
