/**
 * The scenarios that are known by name: the shipped ones, those of a folder, those given at start.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Problem } from '../reader/problems.js';
import { loadScenario, type LoadResult, type ScenarioText } from '../reader/load.js';
import { nameOf } from '../reader/merge.js';
import { embeddedFile, fileAbove, namesIn } from '../../package-files.js';

export interface KnownScenario {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** Larger files are not read. The loader also limits the text. */
const largestBytes = 1024 * 1024;

/** Extensions of scenario files. */
export const scenarioFile = /\.(?:ya?ml|json)$/i;

export class ScenarioLibrary {
  readonly #byName = new Map<string, KnownScenario>();

  /** @param places files and folders; of two scenarios with the same name, the first counts */
  constructor(places: readonly string[]) {
    for (const place of places) for (const path of filesAt(place)) this.add(path);
  }

  /** Adds a file by its path; it takes precedence over a known scenario of its name. Returns null if there is no file. */
  addFile(path: string): KnownScenario | null {
    if (!isFile(path)) return null;
    const known = { name: nameOf(path), path: resolve(path) };
    this.#byName.set(known.name, known);
    return known;
  }

  add(path: string): KnownScenario {
    const known = { name: nameOf(path), path: resolve(path) };
    if (!this.#byName.has(known.name)) this.#byName.set(known.name, known);
    return known;
  }

  list(): KnownScenario[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): KnownScenario | undefined {
    return this.#byName.get(name.replace(scenarioFile, ''));
  }

  names(): string[] {
    return [...this.#byName.keys()];
  }

  /** Reads the text of a known scenario each time, because the file may have changed. Undefined if it cannot be read. */
  read({ path }: KnownScenario): string | undefined {
    return textOf(path);
  }

  /** Returns the text of a file that a problem names, for its code frame. */
  sourceOf(file: string): string | undefined {
    return textOf(file);
  }

  /** Loads a known scenario; what it extends is searched in its folder, then by name. */
  load(known: KnownScenario): { result: LoadResult; text: string } {
    const text = this.read(known);
    if (text === undefined) return { result: { problems: [unreadable(known)], warnings: [] }, text: '' };
    return { result: loadScenario(text, { file: known.path, resolve: this.resolver(dirname(known.path)) }), text };
  }

  /** Loads a scenario without a file; what it extends is searched by name. */
  loadText(text: string, file: string): LoadResult {
    return loadScenario(text, { file, resolve: this.resolver(null) });
  }

  resolver(folder: string | null): (name: string) => ScenarioText | undefined {
    return (name) => (folder === null ? undefined : beside(folder, name)) ?? this.#named(name);
  }

  #named(name: string): ScenarioText | undefined {
    const known = this.get(name);
    const text = known && this.read(known);
    return known && text !== undefined ? { file: known.path, text } : undefined;
  }
}

function beside(folder: string, name: string): ScenarioText | undefined {
  const candidates = scenarioFile.test(name) ? [name] : [`${name}.yaml`, `${name}.yml`, `${name}.json`];
  for (const candidate of candidates) {
    // Names in `extends` have no separators; `basename` makes sure of it.
    const path = join(folder, basename(candidate));
    const text = textOf(path);
    if (text !== undefined) return { file: path, text };
  }
  return undefined;
}

function filesAt(place: string): string[] {
  const stats = statSync(place, { throwIfNoEntry: false });
  if (!stats && place !== shippedScenarios()) return [];
  if (stats?.isDirectory() === false) return [place];
  return namesIn(place)
    .filter((name) => scenarioFile.test(name) && !name.endsWith('.schema.json'))
    .sort()
    .map((name) => join(place, name))
    .filter(isFile);
}

/** Reads a file; undefined if it no longer exists or cannot be read. */
function textOf(path: string): string | undefined {
  try {
    return isFile(path) ? (embeddedFile(path) ?? readFileSync(path)).toString() : undefined;
  } catch {
    return undefined;
  }
}

function unreadable({ path }: KnownScenario): Problem {
  const message = 'The scenario file cannot be read: it does not exist, is too large, or its permissions forbid it.';
  const allowed = `a readable file of at most ${largestBytes / 1024} KiB`;
  return { file: path, line: 1, column: 1, path: '', code: 'unreadable_file', message, found: 'no text', allowed };
}

function isFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? stats.isFile() && stats.size <= largestBytes : embeddedFile(path) !== null;
}

export function shippedScenarios(): string | null {
  // The schema is in the folder too, which distinguishes it from other folders of that name.
  const schema = fileAbove(join('scenarios', 'scenario.schema.json'));
  return schema === null ? null : dirname(schema);
}

/** The folder that a container can mount. */
export const mountedScenarios = '/scenarios';
