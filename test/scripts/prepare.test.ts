import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mustBuild } from '../../scripts/prepare/must-build.js';

it('is what npm runs to prepare the package', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(scripts['prepare']).toBe('tsx scripts/prepare.ts');
});

it.each([
  ['ci', false, true],
  ['ci', true, true],
  ['install', true, true],
  ['pack', true, true],
  ['publish', true, true],
  [undefined, true, true],
  ['exec', false, true],
  ['exec', true, false],
])('npm %s, with a build: %s, builds: %s', (command, built, wanted) => {
  expect(mustBuild(command, built)).toBe(wanted);
});
