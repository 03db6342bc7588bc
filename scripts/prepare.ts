/**
 * What npm runs after `npm ci` and before `npm pack`: the build. A first `npx messaging-sandbox …` in this folder makes npm
 * prepare the package, too. What is built already stays as it is then: otherwise the caller would wait for half a minute, and
 * the sandbox in the next terminal would lose the files that it runs from.
 */
import { existsSync } from 'node:fs';
import { mustBuild } from './prepare/must-build.js';

if (mustBuild(process.env['npm_command'], existsSync('dist/cli/main.js'))) {
  await import('./generate.js');
  await import('./build.js');
}
