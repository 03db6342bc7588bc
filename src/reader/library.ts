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
import { ServiceError } from '../domain/errors.js';
import { nearestWord } from '../domain/text.js';
import { fileAbove } from '../package-files.js';
import type * as Load from './load.js';
import type * as Prefer from './prefer.js';
import { nameOf, ScenarioFileError } from '../language/problems.js';

type Reader = typeof Load & typeof Prefer;
let loaded: Reader | null = null;

/** A start without a scenario does not need the reader, so it is loaded before the first scenario is read. */
export async function loadReader(): Promise<void> {
  loaded ??= { ...(await import('./load.js')), ...(await import('./prefer.js')) };
}

export function reader(): Reader {
  if (loaded === null) throw new Error('The reader of scenarios is not loaded.');
  return loaded;
}

export interface KnownScenario {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** True for a file of the user's, which may be written; a file of the package may not. */
  readonly isOwn: boolean;
}

/** Larger files are not read. The loader also limits the text. */
const largestBytes = 1024 * 1024;
const scenarioFile = /\.(?:ya?ml|json)$/i;

export const mountedScenarios = '/scenarios';

/** The scenarios of the package by path: reading all of them takes a tenth of a second. */
const read = new Map<string, { readonly result: Load.LoadResult; readonly text: string }>();

export class ScenarioLibrary {
  #known: Map<string, KnownScenario> | null = null;

  constructor(private readonly folder: string | null = mountedScenarios) {}

  /** The folders are read when something first asks for a scenario: it is a fifth of the start of a further sandbox. */
  get #byName(): Map<string, KnownScenario> {
    if (this.#known) return this.#known;
    // The schema is in the folder too, which distinguishes it from other folders of that name.
    const schema = fileAbove(join('scenarios', 'scenario.schema.json'));
    const ofPackage = schema === null ? [] : filesIn(dirname(schema)).map((path) => knownAt(path, false));
    const ofUser = this.folder === null ? [] : filesIn(this.folder).map((path) => knownAt(path));
    const known = new Map(ofUser.map((one) => [one.name, one]));
    // One of the user's takes precedence over others of its name.
    for (const one of ofPackage) if (!known.has(one.name)) known.set(one.name, one);
    return (this.#known = known);
  }

  #add(path: string): KnownScenario {
    const known = knownAt(path);
    this.#byName.set(known.name, known);
    return known;
  }

  /** A file by its path becomes known. @throws ScenarioFileError */
  find(wanted: string): KnownScenario {
    const named = isPath(wanted) ? undefined : this.get(wanted);
    if (named) return named;
    if (isFile(wanted)) return this.#add(wanted);
    const known = this.get(wanted);
    if (known) return known;
    if (statSync(wanted, { throwIfNoEntry: false })?.isDirectory() === true) {
      const message = `"${wanted}" is a folder. Give the paths of the files in it: ${join(wanted, '*.yaml')}.`;
      throw new ScenarioFileError(message);
    }
    const names = this.names().join(', ');
    throw new ScenarioFileError(`${this.unknown(wanted)} Give the path of a file, or one of: ${names}.`);
  }

  /** The sentence names the scenario that was probably meant. */
  unknown(wanted: string): string {
    const nearest = nearestWord(wanted, this.names());
    return `There is no scenario "${wanted}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`;
  }

  isWritable(known: KnownScenario): boolean {
    return whyReadOnly(known) === null && mayWrite(known.path);
  }

  newFilesFolder(): string | null {
    const folders = [this.folder, ...this.list().flatMap(({ isOwn, path }) => (isOwn ? [dirname(path)] : []))];
    return folders.find((folder) => folder !== null && mayWrite(folder)) ?? null;
  }

  /** Writes a file of the user's, known or new; never any other file. @throws ServiceError `forbidden`, `name_taken` */
  save(name: string, text: string): KnownScenario {
    const forbidden = (message: string, cause?: unknown) => new ServiceError('forbidden', message, { cause });
    const known = this.get(name);
    const folder = known ? dirname(known.path) : this.newFilesFolder();
    if (folder === null) {
      throw forbidden(
        'This sandbox has no writable folder for scenarios. Mount one at /scenarios, or start the sandbox with --scenario FILE.',
      );
    }
    const objection = known ? whyReadOnly(known) : null;
    if (objection !== null) throw forbidden(objection);
    const path = known?.path ?? join(folder, `${name}.yaml`);
    if (!known && existsSync(path)) {
      const message = `${path} exists, and is not a scenario that this sandbox has loaded. Choose another name.`;
      throw new ServiceError('name_taken', message);
    }
    try {
      replaceFile(path, text);
    } catch (cause) {
      throw forbidden(`${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`, cause);
    }
    return this.#add(path);
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

  load(known: KnownScenario, file = known.path): { result: Load.LoadResult; text: string } {
    const { path, isOwn } = known;
    const text = readSource(path);
    // Those of the package extend none of the user's, so that only their own text can change.
    const before = isOwn || file !== path ? undefined : read.get(path);
    if (before !== undefined && before.text === text) return before;
    if (text !== undefined) {
      const fresh = { result: this.loadText(text, file, dirname(path)), text };
      if (!isOwn && file === path) read.set(path, fresh);
      return fresh;
    }
    const message = 'The scenario file cannot be read: it does not exist, is too large, or its permissions forbid it.';
    const place = { file, line: 1, column: 1, path: '', found: 'no text' };
    const allowed = `a readable file of at most ${largestBytes / 1024} KiB`;
    return { result: { problems: [{ ...place, code: 'unreadable_file', message, allowed }], warnings: [] }, text: '' };
  }

  /** Extended scenarios are searched for in the folder, if there is one, then by name. */
  loadText(text: string, file: string, folder: string | null = null): Load.LoadResult {
    const inFolder = (name: string) => {
      if (folder === null) return undefined;
      const names = scenarioFile.test(name) ? [name] : [`${name}.yaml`, `${name}.yml`, `${name}.json`];
      // Names in `extends` have no separators; `basename` guarantees it. A file of the folder is named as `file` is.
      return names
        .map((one) => basename(one))
        .map((one) => sourceAt(join(folder, one), join(dirname(file), one)))
        .find((found) => found !== undefined);
    };
    const named = (name: string) => {
      const known = this.get(name);
      return known && sourceAt(known.path);
    };
    return reader().loadScenario(text, { file, resolve: (name) => inFolder(name) ?? named(name) });
  }
}

function knownAt(path: string, isOwn = true): KnownScenario {
  return { name: nameOf(path), path: resolve(path), isOwn };
}

/** Null if the file is the user's, wherever its rights allow. */
function whyReadOnly({ name, path, isOwn }: KnownScenario): string | null {
  if (!isOwn) return `The scenario "${name}" comes with the sandbox and is read-only. Save it under another name.`;
  if (!/\.ya?ml$/i.test(path)) return `${path} is not a .yaml file. Save the scenario under another name.`;
  const folder = dirname(path);
  const isLink = existsSync(path) && dirname(realpathSync(path)) !== realpathSync(folder);
  return isLink ? `${path} is a link to a file outside ${folder}. Edit that file instead.` : null;
}

/** Names of scenarios have neither separators nor an extension. */
export function isPath(wanted: string): boolean {
  return /[\\/.]/.test(wanted);
}

function sourceAt(path: string, file = path): Load.ScenarioText | undefined {
  const text = readSource(path);
  return text === undefined ? undefined : { file, text };
}

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => scenarioFile.test(name) && !name.endsWith('.schema.json'))
    .sort()
    .map((name) => join(folder, name))
    .filter(isFile);
}

/** Read each time, because the file can change; undefined if it cannot be read. */
export function readSource(path: string): string | undefined {
  try {
    return isFile(path) ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= largestBytes;
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A full disk must not leave a part of the file. */
function replaceFile(path: string, text: string): void {
  const temporary = `${path}.tmp`;
  try {
    writeFileSync(temporary, text, existsSync(path) ? { mode: statSync(path).mode } : {});
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}
