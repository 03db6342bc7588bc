/** Loads the text of a scenario, or reports every error in it. */
import { withCorrections } from './correct.js';
import { lintScenario } from './lints.js';
import { merge, type LoadedFile } from './merge.js';
import type { Place } from './place.js';
import { sortProblems, type FoundProblem, type Problem } from '../schema/problems.js';
import { readDocument } from './read.js';
import { onRecords, type Expectation } from '../schema/expect.js';
import type { Schema } from '../schema/kit.js';
import { scenarioSchema, type LoadedScenario } from '../schema/scenario.js';

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
  const warned = withCorrections(warnings, textOf, { read: readAndLint, characters });
  const sorted = sortProblems(warned, order);
  if (problems.length === 0 && scenario !== undefined) return { scenario, warnings: sorted };
  const corrected = withCorrections(problems, textOf, { read, characters });
  return { problems: sortProblems(corrected, order, unlisted), warnings: sorted };
}

function withText(found: ScenarioText | undefined, file: string, text: string): ScenarioText | undefined {
  return found?.file === file ? { file, text } : found;
}

/** Returns the part of a scenario that is left out because of a problem: an entry of a list, or a key. */
function partOf(path: string): string | undefined {
  return /^(?:(?:rules|timeline|expect|extends|given\.\w+)\[\d+\]|given\.\w+|\w+)/.exec(path)?.[0];
}

/** Reads everything, without corrected lines. There is no scenario if nothing could be read. */
function readAll(text: string, options: LoadOptions, lints = true) {
  const files: LoadedFile[] = [];
  const texts = new Map<string, string>();
  const documents: ReturnType<typeof readDocument>[] = [];
  let missing = false;
  const read = (source: ScenarioText, ancestors: readonly string[]): void => {
    texts.set(source.file, source.text);
    const document = readDocument(scenarioSchema(), source.text, source.file, partOf);
    documents.push(document);
    const { value, root } = document;
    missing ||= value === undefined;
    if (value === undefined || root === undefined) return;
    const file = { file: source.file, scenario: value, root };
    files.push(file);
    for (const [index, name] of (value.extends ?? []).entries()) {
      const found = options.resolve?.(name);
      const fault = extendsFault(found, [...ancestors, source.file], [...texts.keys()], name);
      missing ||= fault !== undefined;
      if (fault !== undefined) root.near(`extends[${index}]`).report(fault);
      else if (found !== undefined && !texts.has(found.file)) read(found, [...ancestors, source.file]);
    }
  };
  read({ file: options.file, text }, []);
  const order = [...texts.keys()];
  const found = (key: 'problems' | 'warnings'): FoundProblem[] =>
    documents.flatMap(({ root, problems }) => root?.reading[key] ?? (key === 'problems' ? problems : []));
  const whole = () => ({
    problems: found('problems'),
    warnings: found('warnings'),
    unlisted: documents.reduce((sum, { root, unlisted }) => sum + (root?.reading.unlisted ?? unlisted), 0),
    order,
    texts,
  });
  if (files[0] === undefined) return { ...whole(), scenario: undefined };
  const { scenario, sources } = merge(files, options.file);
  for (const file of files) checkReferences(file, scenario.expect);
  if (lints) lintScenario(scenario, sources, files, { whole: found('problems').length === 0, missing });
  return { ...whole(), scenario };
}

/** Reports checks that refer to a missing check or to themselves: they could never pass. */
function checkReferences({ scenario, root }: LoadedFile, checks: LoadedScenario['expect']): void {
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
      const at = root.reading.origins.get(check)?.near(key);
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
export type PartResult<T> = { readonly value: T; readonly place: Place } | { readonly problems: readonly Problem[] };

/**
 * Reads YAML or JSON text with one schema, as safely as a scenario file. Never throws because of the text.
 * @param file its name in problems
 */
export function loadPart<T>(schema: () => Schema<T>, text: string, file: string): PartResult<T> {
  const { value, root, problems, unlisted } = readDocument(schema(), text, file);
  if (value !== undefined && root !== undefined && problems.length === 0) return { value, place: root };
  const read = (_file: string, corrected: string) => readDocument(schema(), corrected, file).problems;
  const checked = withCorrections(problems, () => text, { read, characters: text.length });
  return { problems: sortProblems(checked, [file], unlisted) };
}
