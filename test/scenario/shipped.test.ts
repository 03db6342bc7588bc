/** What each shipped scenario has. The sample shop passes every one, and its careless twin fails it (test/examples/shop.test.ts). */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/reader/load.js';
import { magicFor } from '../../src/rules/magic-numbers.js';
import { kindOf } from '../../src/language/kind.js';
import type { LoadedScenario } from '../../src/language/scenario.js';

const names = readdirSync('scenarios')
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace('.yaml', ''));
const sourceOf = (name: string) => readFileSync(`scenarios/${name}.yaml`, 'utf8');

function load(name: string): LoadedScenario {
  const result = loadScenario(sourceOf(name), { file: `${name}.yaml` });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems, null, 2));
  expect(result.warnings).toEqual([]);
  return result.scenario;
}

describe.each(names)('%s', (name) => {
  it('opens with what it shows and what to watch for', () => {
    expect(sourceOf(name)).toMatch(/^# (?:Conditions|Story)\. What it shows: [^]*\n# What to watch for: /);
  });

  it('loads without problems and warnings, under its own name', () => {
    const scenario = load(name);
    expect(scenario.name).toBe(name);
    expect(scenario.expect.length).toBeGreaterThan(0);
    for (const { because } of scenario.expect) expect(because).toMatch(/\.$/);
  });

  it('is a story, or holds for any suite: then it creates nothing, and asks for no minimum', () => {
    expect(sourceOf(name)).toMatch(kindOf(load(name)) === 'story' ? /^# Story\. / : /^# Conditions\. /);
  });

  it('names no number whose magic would mix with its rules', () => {
    const numbers = sourceOf(name).match(/\+1\d{10}/g) ?? [];
    expect(numbers.filter((number) => magicFor(number) !== null)).toEqual([]);
  });
});
