import { onRecords } from '../../src/scenario/schema/expect.js';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../../src/scenario/reader/load.js';
import { magicFor } from '../../src/scenario/engine/magic-numbers.js';
import type { LoadedScenario } from '../../src/scenario/schema/scenario.js';
import { evaluated, evidenceOf } from './evidence.js';
import { exercises } from './shipped-runs.js';

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

it('each has an exercise', () => {
  expect(names).toEqual(Object.keys(exercises).sort());
  expect(names).toHaveLength(13);
});

describe.each(names)('%s', (name) => {
  it('opens with what it shows and what to watch for', () => {
    expect(sourceOf(name)).toMatch(/^# What it shows: [^]*\n# What to watch for: /);
  });

  it('loads without problems and warnings, under its own name', () => {
    const scenario = load(name);
    expect(scenario.name).toBe(name);
    expect(scenario.expect.length).toBeGreaterThan(0);
    for (const { because } of scenario.expect) expect(because).toMatch(/\.$/);
  });

  it('names no number whose magic would mix with its rules', () => {
    const numbers = sourceOf(name).match(/\+1\d{10}/g) ?? [];
    expect(numbers.filter((number) => magicFor(number) !== null)).toEqual([]);
  });

  it('is passed by a correct application', () => {
    const evidence = evidenceOf(exercises[name]!.correct);
    const paused = evidenceOf({ webhooks: [{ url: 'https://app.test/h', status: 'paused' }] });
    for (const expectation of onRecords(load(name).expect)) {
      const midway = name === 'webhook-down-24h' && expectation.at === '+24h2m';
      expect(evaluated(expectation, midway ? paused : evidence)).toMatchObject({ passed: true });
    }
  });

  it('has no expectation that careless applications could not fail', () => {
    const runs = [...exercises[name]!.careless, exercises[name]!.correct].map(evidenceOf);
    for (const expectation of onRecords(load(name).expect)) {
      const failed = runs.some((evidence) => !evaluated(expectation, evidence).passed);
      expect(failed, `${expectation.at} ${expectation.that}: ${expectation.because ?? ''}`).toBe(true);
    }
    for (const run of exercises[name]!.careless.map(evidenceOf)) {
      expect(onRecords(load(name).expect).every((expectation) => evaluated(expectation, run).passed)).toBe(false);
    }
  });
});
