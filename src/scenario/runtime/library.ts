/**
 * The scenarios this sandbox knows by name: those shipped, those of a folder, those named at start.
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

/** Larger files are no scenarios; the loader has a limit of its own on the text. */
const largestBytes = 1024 * 1024;

/** How the files of scenarios end. */
export const scenarioFile = /\.(?:ya?ml|json)$/i;

export class ScenarioLibrary {
  readonly #byName = new Map<string, KnownScenario>();

  /** @param places files and folders; of two scenarios with one name the first stays */
  constructor(places: readonly string[]) {
    for (const place of places) for (const path of filesAt(place)) this.add(path);
  }

  /** A file named by its path comes before a known scenario of its name. Null when there is no such file. */
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

  /** The text of a known scenario, read anew each time: the file may have changed. Undefined when it cannot be read any more. */
  read({ path }: KnownScenario): string | undefined {
    return textOf(path);
  }

  /** The text of a file that a problem names, for its code frame. */
  sourceOf(file: string): string | undefined {
    return textOf(file);
  }

  /** Loads a known scenario; what it extends is looked for beside it, then by name. */
  load(known: KnownScenario): { result: LoadResult; text: string } {
    const text = this.read(known);
    if (text === undefined) return { result: { problems: [unreadable(known)], warnings: [] }, text: '' };
    return { result: loadScenario(text, { file: known.path, resolve: this.resolver(dirname(known.path)) }), text };
  }

  /** Loads a scenario that came without a file: what it extends is looked for by name. */
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
    // The language lets names through that have no separators; this holds whatever it lets through.
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

/** A file that was there at the start may be gone, or closed to us, when it is asked for. */
function textOf(path: string): string | undefined {
  try {
    return isFile(path) ? (embeddedFile(path) ?? readFileSync(path)).toString() : undefined;
  } catch {
    return undefined;
  }
}

function unreadable({ path }: KnownScenario): Problem {
  const message = 'The file of this scenario cannot be read: it is gone, too large, or not open to this process.';
  const allowed = `a file of at most ${largestBytes / 1024} KiB that may be read`;
  return { file: path, line: 1, column: 1, path: '', code: 'unreadable_file', message, found: 'no text', allowed };
}

function isFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? stats.isFile() && stats.size <= largestBytes : embeddedFile(path) !== null;
}

export function shippedScenarios(): string | null {
  // The schema lies in the folder too; it tells it from any other folder of that name.
  const schema = fileAbove(join('scenarios', 'scenario.schema.json'));
  return schema === null ? null : dirname(schema);
}

/** The folder that an image mounts. */
export const mountedScenarios = '/scenarios';
