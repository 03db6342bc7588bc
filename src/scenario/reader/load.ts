/** Loads the text of a scenario, or reports every error in it. */
import { scenarioShape, type LoadedScenario } from '../language/scenario.js';
import { stepsFault } from '../language/regex.js';
import { expressionSteps } from '../language/matchers.js';
import { lintScenario } from './lints.js';
import { sortProblems, type Problem } from '../language/problems.js';
import { openReading } from '../language/yaml-safety.js';
import { merge, type LoadedFile, type RuleSources } from './merge.js';
import { withCorrections, type FoundProblem } from '../language/corrected-line.js';
import { INVALID, type Invalid, type YamlNode } from '../language/yaml-node.js';
import { onRecords, type Expectation } from '../language/expectations.js';
import type { LoadedRule } from '../language/rules.js';
import { parseYamlSource } from '../language/yaml-source.js';
import type { Shape } from '../language/shape.js';

export interface ScenarioText {
  /** Name of the file in problems. */
  readonly file: string;
  readonly text: string;
}

export interface LoadOptions {
  /** Name of the file in problems. Its last part, without the extension, is the default name of the scenario. */
  readonly file: string;
  /** Returns the scenario that `extends` names, if there is one. Names never leave their folder. */
  readonly resolve?: (name: string) => ScenarioText | undefined;
}

export type LoadResult =
  | { readonly scenario: LoadedScenario; readonly warnings: readonly Problem[] }
  /** The warnings are about the parts that could be read. */
  | { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/** Extended scenarios, all levels together. */
const MAX_FILES = 20;

/**
 * Reads a scenario and what it extends. Never throws because of the text: every error is a problem with its place,
 * and all are reported at once. YAML 1.2 core or JSON; at most 256 K characters and 20 files.
 */
export function loadScenario(text: string, options: LoadOptions): LoadResult {
  const { problems, warnings, scenario, order, texts, unlisted } = readAll(text, options);
  const again = (file: string, corrected: string, lints: boolean) =>
    file === options.file
      ? readAll(corrected, options, lints)
      : readAll(text, { ...options, resolve: (name) => withText(options.resolve?.(name), file, corrected) }, lints);
  const textOf = (file: string) => texts.get(file);
  const characters = [...texts.values()].reduce((sum, { length }) => sum + length, 0);
  const read = (file: string, corrected: string) => again(file, corrected, false).problems;
  const readAndLint = (file: string, corrected: string) => {
    const result = again(file, corrected, true);
    return [...result.problems, ...result.warnings];
  };
  const warned = sortProblems(withCorrections(warnings, textOf, { read: readAndLint, characters }), order);
  if (problems.length === 0 && scenario !== undefined) return { scenario, warnings: warned };
  const corrected = withCorrections(problems, textOf, { read, characters });
  return { problems: sortProblems(corrected, order, unlisted), warnings: warned };
}

function withText(found: ScenarioText | undefined, file: string, text: string): ScenarioText | undefined {
  return found?.file === file ? { file, text } : found;
}

/** Reads everything, without corrected lines. There is no scenario if nothing could be read. */
function readAll(text: string, options: LoadOptions, lints = true) {
  const problems: FoundProblem[] = [];
  const warnings: FoundProblem[] = [];
  const files: LoadedFile[] = [];
  const texts = new Map<string, string>();
  const documents: ReadDocument<unknown>[] = [];
  let missing = false;
  const read = (source: ScenarioText, ancestors: readonly string[]): void => {
    texts.set(source.file, source.text);
    const document = readDocument(scenarioShape, source.text, source.file);
    problems.push(...document.problems);
    documents.push(document);
    missing ||= document.value === INVALID;
    if (document.value === INVALID || document.root === undefined) return;
    // What is found later, as with `extends`, belongs to the same lists.
    const reading = Object.assign(document.root.reading, { problems, warnings });
    const file = { file: source.file, scenario: document.value, reading };
    files.push(file);
    for (const name of file.scenario.extends ?? []) {
      const found = options.resolve?.(name);
      const fault = extendsFault(found, [...ancestors, source.file], [...texts.keys()], name);
      missing ||= fault !== undefined;
      if (fault !== undefined) placeOfName(file, name)?.report(fault);
      else if (found !== undefined && !texts.has(found.file)) read(found, [...ancestors, source.file]);
    }
  };
  read({ file: options.file, text }, []);
  const order = [...texts.keys()];
  const count = () => documents.reduce((sum, { root, unlisted }) => sum + (root?.reading.unlisted ?? unlisted), 0);
  if (files[0] === undefined) return { problems, unlisted: count(), warnings, scenario: undefined, order, texts };
  const { scenario, sources } = merge(files, options.file);
  checkExpressions(scenario.rules, sources);
  for (const file of files) checkReferences(file, scenario.expect);
  const whole = problems.length === 0;
  if (lints) lintScenario(scenario, sources, files, { whole, missing });
  return { problems, unlisted: count(), warnings, scenario, order, texts };
}

/** Reports rules whose expressions together take too long for one call, at the last rule that has one. */
function checkExpressions(rules: readonly LoadedRule[], sources: RuleSources): void {
  const fault = stepsFault(expressionSteps(rules.map(({ match }) => match)), 'the rules');
  const last = fault && rules.findLast(({ match }) => expressionSteps([match]) > 0);
  if (fault && last) sources.get(last)?.near('match').report(fault);
}

/** Reports checks that refer to a missing check or to themselves: they could never pass. */
function checkReferences({ scenario, reading }: LoadedFile, checks: LoadedScenario['expect']): void {
  const records = onRecords(checks);
  const ids = records.flatMap(({ id }) => id ?? []);
  const leadsTo = (from: Expectation, seen: readonly Expectation[]): boolean =>
    [from.after, from.before].some((id) => {
      const next = records.find((one) => one.id !== undefined && one.id === id);
      return next !== undefined && (seen.includes(next) || leadsTo(next, [...seen, next]));
    });
  for (const check of onRecords(scenario.expect ?? [])) {
    for (const key of ['after', 'before'] as const) {
      const id = check[key];
      const at = reading.origins.get(check)?.near(key);
      if (id === undefined || at === undefined) continue;
      if (!ids.includes(id)) {
        const message = `There is no check with the id "${id}".`;
        const orElse = 'an id of another check in expect';
        at.report({ code: 'unknown_check', message, found: id, words: ids, orElse });
      } else if (leadsTo(check, [check])) {
        const allowed = 'a check that does not refer back to this one';
        at.report({ code: 'check_cycle', message: 'This check refers to itself.', allowed });
      }
    }
  }
}

function placeOfName({ reading }: LoadedFile, name: string): YamlNode | undefined {
  return [...reading.places.values()].find(
    (place) => /^extends\[\d+\]$/.test(place.path) && place.scalarText() === name,
  );
}

function extendsFault(found: ScenarioText | undefined, path: readonly string[], read: readonly string[], name: string) {
  if (found === undefined) {
    const message = `There is no scenario "${name}" to extend.`;
    const allowed = 'the name or file of a scenario in the same folder';
    return { code: 'unknown_scenario', message, found: name, allowed };
  }
  if (path.includes(found.file)) {
    const message = `Scenarios extend each other in a cycle: ${[...path, found.file].join(' → ')}.`;
    return { code: 'extends_cycle', message, found: name, allowed: 'a scenario that does not extend this one' };
  }
  if (read.length >= MAX_FILES && !read.includes(found.file)) {
    const message = 'The scenario extends too many files.';
    return { code: 'too_many_files', message, found: name, allowed: `at most ${MAX_FILES} files` };
  }
  return undefined;
}

/** `place` is the place of the whole part, for lints. */
export type PartResult<T> = { readonly value: T; readonly place: YamlNode } | { readonly problems: readonly Problem[] };

/**
 * Reads YAML or JSON text with one shape, as safely as a scenario file. Never throws because of the text.
 * @param file its name in problems
 */
export function loadPart<T>(shape: Shape<T>, text: string, file: string): PartResult<T> {
  const { value, root, problems, unlisted } = readDocument(shape, text, file);
  if (value !== INVALID && root !== undefined && problems.length === 0) return { value, place: root };
  const read = (_file: string, corrected: string) => readDocument(shape, corrected, file).problems;
  const checked = withCorrections(problems, () => text, { read, characters: text.length });
  return { problems: sortProblems(checked, [file], unlisted) };
}

interface ReadDocument<T> {
  readonly value: T | Invalid;
  readonly problems: readonly FoundProblem[];
  /** Number of problems beyond those that are listed. */
  readonly unlisted: number;
  /** The place of the whole, with its reading; undefined if the syntax is invalid. */
  readonly root?: YamlNode;
}

function readDocument<T>(shape: Shape<T>, text: string, file: string): ReadDocument<T> {
  const parsed = parseYamlSource(text, file);
  if ('problems' in parsed) return { value: INVALID, unlisted: 0, ...parsed };
  const { reading, root, sound } = openReading(parsed.source);
  const value: T | Invalid = sound ? shape.read(root) : INVALID;
  return { value, root, problems: reading.problems, unlisted: reading.unlisted };
}
