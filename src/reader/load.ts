import type { Schema } from '../language/about.js';
import { sortProblems, type FoundProblem, type Problem } from '../language/problems.js';
import { ruleSchema } from '../language/rule.js';
import { scenarioSchema, type LoadedScenario } from '../language/scenario.js';
import { withCorrections } from './correct.js';
import { lintAwaited, lintShadowed } from './lint-rules.js';
import { lintFiles, lintRule } from './lints.js';
import { merge, type LoadedFile } from './merge.js';
import type { Names } from './never-fits.js';
import type { Place } from './place.js';
import { readDocument } from './read.js';
import { checkReferences, checkSaved } from './references.js';

export interface ScenarioText {
  readonly file: string;
  readonly text: string;
}

export interface LoadOptions {
  /** Name of the file in problems. Its last part, without the extension, is the default name of the scenario. */
  readonly file: string;
  /** Names never leave their folder. */
  readonly resolve?: (name: string) => ScenarioText | undefined;
}

export type LoadResult =
  | { readonly scenario: LoadedScenario; readonly warnings: readonly Problem[] }
  /** The warnings are about the parts that could be read. */
  | { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

/** Extended scenarios, all levels together. */
const MAX_FILES = 20;

/**
 * Never throws because of the text: all errors are reported at once. YAML 1.2 core or JSON; at most 256 K characters
 * and 20 files.
 */
export function loadScenario(text: string, options: LoadOptions): LoadResult {
  const { problems, warnings, texts, scenario } = readAll({ ...options, text });
  const read = (of: 'problems' | 'warnings') => (file: string, corrected: string) => {
    const again = readAll({ ...options, text }, { file, text: corrected });
    return of === 'problems' ? again.problems : [...again.problems, ...again.warnings];
  };
  const textOf = (file: string) => texts.get(file);
  const characters = [...texts.values()].reduce((sum, { length }) => sum + length, 0);
  const order = [...texts.keys()];
  const warned = withCorrections(warnings, { textOf, characters, read: read('warnings'), warnings: true });
  const sorted = sortProblems(warned, order);
  if (scenario !== undefined) return { scenario, warnings: sorted };
  const corrected = withCorrections(problems, { textOf, characters, read: read('problems') });
  return { problems: sortProblems(corrected, order), warnings: sorted };
}

function readAll(start: LoadOptions & ScenarioText, instead?: ScenarioText) {
  const texts = new Map<string, string>();
  const documents: (ReturnType<typeof readDocument<LoadedFile['scenario']>> & { readonly file: string })[] = [];
  /** The `given` of files that cannot be read is unknown. */
  let unread = 0;
  const read = (source: ScenarioText, ancestors: readonly string[]): void => {
    const { file } = source;
    const text = instead?.file === file ? instead.text : source.text;
    texts.set(file, text);
    const document = readDocument(scenarioSchema, text, file);
    documents.push({ ...document, file });
    if (document.root === undefined) unread += 1;
    for (const place of document.root?.items('extends') ?? []) {
      const name = place.text ?? '';
      const found = start.resolve?.(name);
      const report = extendsFault(found, [...ancestors, file], [...texts.keys()], name);
      if (report !== undefined) unread += 1;
      // A name that is none has been reported.
      if (report !== undefined && !document.problems.some(({ path }) => path === place.path)) place.report(report);
      else if (found !== undefined && !texts.has(found.file)) read(found, [...ancestors, file]);
    }
  };
  read(start, []);
  const roots = documents.flatMap(({ root }) => root ?? []);
  checkReferences(roots);
  // A file that cannot be read may save them.
  if (unread === 0) checkSaved(roots);
  const problems: FoundProblem[] = documents.flatMap((one) => one.problems);
  const files = documents.flatMap(({ file, value, root }) => (value && root ? [{ file, scenario: value, root }] : []));
  const merged = problems.length === 0 ? merge(files, start.file) : undefined;
  lintFiles(roots, unread === 0 ? namesIn(roots) : null, merged?.scenario.rules ?? null);
  if (merged !== undefined) {
    lintShadowed(merged.sources);
    lintAwaited(merged.sources, roots);
  }
  return {
    problems,
    warnings: roots.flatMap(({ reading }) => reading.warnings),
    texts,
    scenario: merged?.scenario,
  };
}

function namesIn(roots: readonly Place[]): Names {
  const named = (path: string, key: string) =>
    roots.flatMap((root) => root.items(path).flatMap((entry) => entry.at(key)?.text ?? []));
  const customers = roots.flatMap((root) =>
    root.items('given.customers').map((entry) => [entry.at('phone')?.text ?? '', entry.at('name')?.text] as const),
  );
  return {
    templates: named('given.templates', 'name'),
    languages: named('given.templates', 'language'),
    aliases: named('given.webhooks', 'alias'),
    customers,
  };
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

type Part<T> = { readonly value: T; readonly place: Place } | { readonly problems: readonly Problem[] };

/** Never throws because of the text, as with a scenario file. */
export function loadPart<T>(schema: Schema<T>, text: string, file: string): Part<T> {
  const { value, root, problems } = readDocument(schema, text, file);
  if (value !== undefined && root !== undefined) return { value, place: root };
  const read = (_file: string, corrected: string) => readDocument(schema, corrected, file).problems;
  const checked = withCorrections(problems, { textOf: () => text, read, characters: text.length });
  return { problems: sortProblems(checked, [file]) };
}

/** Warnings have no corrected lines. */
export function loadRule(text: string, names: Names) {
  const part = loadPart(ruleSchema, text, 'request body');
  if ('problems' in part) return part;
  lintRule(part.place, names);
  const { warnings } = part.place.reading;
  return { rule: part.value, warnings: warnings.map(({ edits: _edits, ...warning }): Problem => warning) };
}
