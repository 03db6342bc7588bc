/**
 * From the text of a scenario to a scenario ready for use, or to everything that is wrong with it.
 */
import { type LoadedFile, type RuleSources, scenarioShape } from './scenario-schema.js';
import { stepsFault } from '../engine/regex.js';
import { expressionSteps } from '../engine/matchers.js';
import { lintScenario } from './lints.js';
import { sortProblems, type Problem } from './problems.js';
import type { LoadedScenario, Scenario, Given } from '../language/scenario.js';
import { openReading } from './yaml-safety.js';
import { INVALID, type YamlNode } from './yaml-node.js';
import type { LoadedRule } from '../language/rules.js';
import { parseYamlSource } from './yaml-source.js';
import type { Shape } from './shape.js';

export interface ScenarioText {
  /** As problems shall name it. */
  readonly file: string;
  readonly text: string;
}

export interface LoadOptions {
  /** As problems shall name it; its last part, without ending, is the default name of the scenario. */
  readonly file: string;
  /** Finds what `extends` names; undefined when there is no such scenario. Names never leave their folder. */
  readonly resolve?: (name: string) => ScenarioText | undefined;
}

export type LoadResult =
  | { readonly scenario: LoadedScenario; readonly warnings: readonly Problem[] }
  /** What else can be said of a scenario that has problems, as far as it could be read. */
  | { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/** Extended scenarios, all levels together. */
const MAX_FILES = 20;

/**
 * Reads a scenario and what it extends. Never throws for what the text holds: every fault is a problem with its place,
 * and all of them come at once. YAML 1.2 core or JSON; at most 256 K characters and 20 files.
 */
export function loadScenario(text: string, options: LoadOptions): LoadResult {
  const problems: Problem[] = [];
  const files: LoadedFile[] = [];
  const order: string[] = [];
  let missing = false;
  const read = (source: ScenarioText, ancestors: readonly string[]): void => {
    order.push(source.file);
    const loaded = readFile(source, problems);
    missing ||= loaded === undefined;
    if (loaded === undefined) return;
    files.push(loaded);
    for (const name of loaded.scenario.extends ?? []) {
      const found = options.resolve?.(name);
      const fault = extendsFault(found, [...ancestors, source.file], order, name);
      missing ||= fault !== undefined;
      if (fault !== undefined) placeOfName(loaded, name)?.report(fault);
      else if (found !== undefined && !order.includes(found.file)) read(found, [...ancestors, source.file]);
    }
  };
  read({ file: options.file, text }, []);
  if (files[0] === undefined) return { problems: sortProblems(problems, order), warnings: [] };
  const { scenario, sources } = merge(files, options.file);
  checkExpressions(scenario.rules, sources);
  const whole = problems.length === 0;
  const warnings = sortProblems(lintScenario(scenario, sources, files, { whole, missing }), order);
  return whole ? { scenario, warnings } : { problems: sortProblems(problems, order), warnings };
}

/** Reports rules whose expressions together are too much for one call, at the last of them that has one. */
function checkExpressions(rules: readonly LoadedRule[], sources: RuleSources): void {
  const fault = stepsFault(expressionSteps(rules.map(({ match }) => match)), 'the rules');
  const last = fault && rules.findLast(({ match }) => expressionSteps([match]) > 0);
  const place = last && sources.get(last);
  if (fault && place) (place.reading.places.get(`${place.path}.match`) ?? place).report(fault);
}

/** The place of a name among those that are extended. */
function placeOfName({ places }: LoadedFile, name: string): YamlNode | undefined {
  return [...places.values()].find((place) => /^extends\[\d+\]$/.test(place.path) && place.scalarText() === name);
}

function readFile({ file, text }: ScenarioText, problems: Problem[]): LoadedFile | undefined {
  const parsed = parseYamlSource(text, file);
  if ('problems' in parsed) {
    problems.push(...parsed.problems);
    return undefined;
  }
  const { reading, root, sound } = openReading(parsed.source);
  const scenario = sound ? scenarioShape.read(root) : INVALID;
  problems.push(...reading.problems);
  // What extends complains about later belongs to the same list.
  reading.problems = problems;
  if (scenario === INVALID) return undefined;
  return { file, scenario, places: reading.places, placeOf: (entry) => reading.origins.get(entry) };
}

function extendsFault(found: ScenarioText | undefined, path: readonly string[], read: readonly string[], name: string) {
  if (found === undefined) {
    const message = `There is no scenario "${name}" to extend.`;
    return {
      code: 'unknown_scenario',
      message,
      found: name,
      allowed: 'the name or file of a scenario in the same folder',
    };
  }
  if (path.includes(found.file)) {
    const message = `Scenarios extend each other in a circle: ${[...path, found.file].join(' → ')}.`;
    return { code: 'extends_cycle', message, found: name, allowed: 'a scenario that does not come back to this one' };
  }
  if (read.length >= MAX_FILES && !read.includes(found.file)) {
    const message = 'Too many scenarios extend each other.';
    return { code: 'too_many_files', message, found: name, allowed: `at most ${MAX_FILES} files` };
  }
  return undefined;
}

/** The first file wins; what the later ones add comes behind it. */
function merge(files: readonly LoadedFile[], file: string): { scenario: LoadedScenario; sources: RuleSources } {
  const sources = new Map<LoadedRule, YamlNode>();
  const rules: LoadedRule[] = [];
  const taken = new Set<string>();
  const names = files.map((loaded) => nameOf(loaded.file));
  files.forEach((loaded, fileIndex) => {
    // Not the path: an id goes into headers and into what chance is drawn from, the same on every machine.
    const name = names[fileIndex] ?? '';
    const prefix = names.indexOf(name) === fileIndex ? name : `${name}-${fileIndex}`;
    for (const rule of loaded.scenario.rules ?? []) {
      const place = loaded.placeOf(rule);
      if (place === undefined) continue;
      // The path is that of the entry in its file: `rules[0]`.
      const id = rule.id ?? (fileIndex === 0 ? place.path : `${prefix}:${place.path}`);
      // A rule of the same id in a file that is extended is the one being replaced.
      if (taken.has(id)) continue;
      taken.add(id);
      const whole = { ...rule, id, source: { file: loaded.file, line: place.line } };
      rules.push(whole);
      sources.set(whole, place);
    }
  });
  const parts = files.map((loaded) => loaded.scenario);
  const first = <K extends keyof Scenario>(key: K) => parts.find((part) => part[key] !== undefined)?.[key];
  const [description, seed, clock] = [parts[0]?.description, first('seed'), first('clock')];
  const expectNoCalls = first('expect_no_calls');
  const scenario: LoadedScenario = {
    version: 1,
    name: parts[0]?.name ?? nameOf(file),
    ...(description !== undefined && { description }),
    ...(seed !== undefined && { seed }),
    ...(clock !== undefined && { clock }),
    defaults: Object.assign({}, ...parts.map((part) => part.defaults ?? {}).reverse()) as LoadedScenario['defaults'],
    given: {
      templates: mergeBy(parts, 'templates', ({ name }) => name),
      customers: mergeBy(parts, 'customers', ({ phone }) => phone),
      webhooks: mergeBy(parts, 'webhooks', ({ alias }) => alias),
    },
    rules,
    timeline: parts.flatMap((part) => part.timeline ?? []),
    expect: parts.flatMap((part) => part.expect ?? []),
    ...(expectNoCalls !== undefined && { expect_no_calls: expectNoCalls }),
    files: files.map((loaded) => loaded.file),
  };
  return { scenario, sources };
}

function mergeBy<K extends keyof Given>(
  parts: readonly Scenario[],
  key: K,
  nameOf: (entry: Required<Given>[K][number]) => string,
): Required<Given>[K] {
  const merged = new Map<string, Required<Given>[K][number]>();
  for (const part of parts) {
    for (const entry of part.given?.[key] ?? []) {
      if (!merged.has(nameOf(entry))) merged.set(nameOf(entry), entry);
    }
  }
  return [...merged.values()] as Required<Given>[K];
}

/** `scenarios/flaky-api.yaml` → `flaky-api`. */
export function nameOf(file: string): string {
  const last = file.split(/[\\/]/).pop() ?? file;
  const name = last.replace(/\.(?:ya?ml|json)$/i, '').replace(/[^\w-]/g, '-');
  return name === '' ? 'scenario' : name;
}

/** `place` is where the whole part stands, for lints. */
export type PartResult<T> = { readonly value: T; readonly place: YamlNode } | { readonly problems: readonly Problem[] };

/**
 * Reads YAML or JSON text by one shape, with all the care a scenario file gets. Never throws for what the text holds.
 * @param file as problems shall name it
 */
export function loadPart<T>(shape: Shape<T>, text: string, file: string): PartResult<T> {
  const parsed = parseYamlSource(text, file);
  if ('problems' in parsed) return parsed;
  const { reading, root, sound } = openReading(parsed.source);
  const value = sound ? shape.read(root) : INVALID;
  if (value === INVALID || reading.problems.length > 0) return { problems: sortProblems(reading.problems, [file]) };
  return { value, place: root };
}
