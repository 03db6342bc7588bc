/**
 * The scenarios that are known by name: the shipped ones, those of a folder, those given at start.
 */
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ServiceError } from '../../domain/errors.js';
import { nameOf, type Problem } from '../schema/problems.js';
import type { LoadResult, ScenarioText } from '../reader/load.js';
import { reader } from './reader.js';
import { fileAbove } from '../../package-files.js';

export interface KnownScenario {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}

/** Larger files are not read. The loader also limits the text. */
const largestBytes = 1024 * 1024;

export const scenarioFile = /\.(?:ya?ml|json)$/i;

export class ScenarioLibrary {
  readonly #byName = new Map<string, KnownScenario>();

  /** Paths of the user's files, which may be written; those of the package may not. */
  readonly #own = new Set<string>();
  readonly #ownFolder: string | null;

  /**
   * @param places files and folders; of two scenarios with the same name, the first counts
   * @param ownFolder the user's folder, which comes first and may be written
   */
  constructor(places: readonly string[], ownFolder: string | null = null) {
    this.#ownFolder = ownFolder;
    for (const path of ownFolder === null ? [] : filesAt(ownFolder)) this.#own.add(this.add(path).path);
    for (const place of places) for (const path of filesAt(place)) this.add(path);
  }

  /** Adds a file by its path; it takes precedence over a known scenario of its name. Returns null if there is no file. */
  addFile(path: string): KnownScenario | null {
    if (!isFile(path)) return null;
    const known = { name: nameOf(path), path: resolve(path) };
    this.#byName.set(known.name, known);
    this.#own.add(known.path);
    return known;
  }

  /** Whether `save` may replace the file of a scenario. */
  isWritable({ path }: KnownScenario): boolean {
    return this.#own.has(path) && /\.ya?ml$/i.test(path) && mayWrite(path);
  }

  /** The folder for new files: the user's, or that of a file named at start. Null if none may be written. */
  newFilesFolder(): string | null {
    const folders = [this.#ownFolder, ...[...this.#own].map((path) => dirname(path))];
    return folders.find((folder) => folder !== null && mayWrite(folder)) ?? null;
  }

  /**
   * Writes a known file of the user's, or a new one in the folder for them; never any other file.
   * @param name of a scenario, without an extension
   * @throws ServiceError `forbidden`, `name_taken`
   */
  save(name: string, text: string): KnownScenario {
    const known = this.get(name);
    if (known && !this.#own.has(known.path)) {
      const message = `The scenario "${name}" comes with the sandbox and is read-only. Save it under another name.`;
      throw new ServiceError('forbidden', message);
    }
    if (known && !/\.ya?ml$/i.test(known.path)) {
      throw new ServiceError('forbidden', `${known.path} is not a .yaml file. Save the scenario under another name.`);
    }
    const folder = known ? dirname(known.path) : this.newFilesFolder();
    if (folder === null) {
      const message =
        'This sandbox has no writable folder for scenarios. Mount one at /scenarios, or start the sandbox with --scenario FILE.';
      throw new ServiceError('forbidden', message);
    }
    const path = known?.path ?? join(folder, `${name}.yaml`);
    try {
      if (known && dirname(realpathSync(path)) !== realpathSync(folder)) {
        throw new ServiceError('forbidden', `${path} is a link to a file outside ${folder}. Edit that file instead.`);
      }
      // A new file never replaces another one: the folder may contain other YAML files.
      if (!known && existsSync(path)) {
        const message = `${path} exists, and is not a scenario that this sandbox has loaded. Choose another name.`;
        throw new ServiceError('name_taken', message);
      }
      replaceFile(path, text);
    } catch (error) {
      if (error instanceof ServiceError || !(error instanceof Error)) throw error;
      throw new ServiceError('forbidden', `${path} cannot be written: ${error.message}.`, { cause: error });
    }
    const saved = this.add(path);
    this.#own.add(saved.path);
    return saved;
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

  /** Loads a known scenario; files that it extends are searched for in its folder, then by name. */
  load(known: KnownScenario): { result: LoadResult; text: string } {
    const text = readSource(known.path);
    if (text === undefined) return { result: { problems: [unreadable(known)], warnings: [] }, text: '' };
    return {
      result: reader().loadScenario(text, { file: known.path, resolve: this.resolver(dirname(known.path)) }),
      text,
    };
  }

  /**
   * Loads a scenario without a file; files that it extends are searched for in the folder, if there is one, then by
   * name.
   */
  loadText(text: string, file: string, folder: string | null = null): LoadResult {
    return reader().loadScenario(text, { file, resolve: this.resolver(folder) });
  }

  resolver(folder: string | null): (name: string) => ScenarioText | undefined {
    return (name) => (folder === null ? undefined : beside(folder, name)) ?? this.#named(name);
  }

  #named(name: string): ScenarioText | undefined {
    const known = this.get(name);
    const text = known && readSource(known.path);
    return known && text !== undefined ? { file: known.path, text } : undefined;
  }
}

function beside(folder: string, name: string): ScenarioText | undefined {
  const candidates = scenarioFile.test(name) ? [name] : [`${name}.yaml`, `${name}.yml`, `${name}.json`];
  for (const candidate of candidates) {
    // Names in `extends` have no separators; `basename` guarantees it.
    const path = join(folder, basename(candidate));
    const text = readSource(path);
    if (text !== undefined) return { file: path, text };
  }
  return undefined;
}

function filesAt(place: string): string[] {
  const stats = statSync(place, { throwIfNoEntry: false });
  if (!stats) return [];
  if (!stats.isDirectory()) return [place];
  return readdirSync(place)
    .filter((name) => scenarioFile.test(name) && !name.endsWith('.schema.json'))
    .sort()
    .map((name) => join(place, name))
    .filter(isFile);
}

/** Reads a scenario file, each time because it may have changed; undefined if it no longer exists or cannot be read. */
export function readSource(path: string): string | undefined {
  try {
    return isFile(path) ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function unreadable({ path }: KnownScenario): Problem {
  const message = 'The scenario file cannot be read: it does not exist, is too large, or its permissions forbid it.';
  const allowed = `a readable file of at most ${largestBytes / 1024} KiB`;
  return { file: path, line: 1, column: 1, path: '', code: 'unreadable_file', message, found: 'no text', allowed };
}

function isFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= largestBytes;
}

export function shippedScenarios(): string | null {
  // The schema is in the folder too, which distinguishes it from other folders of that name.
  const schema = fileAbove(join('scenarios', 'scenario.schema.json'));
  return schema === null ? null : dirname(schema);
}

/** The folder that can be mounted into a container. */
export const mountedScenarios = '/scenarios';

/** Writes a file as a whole or not at all: a full disk must not leave a part of it. */
function replaceFile(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  try {
    writeFileSync(temporary, text, existsSync(path) ? { mode: statSync(path).mode } : {});
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
