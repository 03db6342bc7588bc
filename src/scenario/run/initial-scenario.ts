/**
 * The starting scenario of new accounts, given at start; reloaded when its file changes if `--watch` is set.
 */
import { watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../../log.js';
import type { LoadedRule } from '../schema/rule.js';
import type { LoadedScenario } from '../schema/scenario.js';
import { formatFaulty, type Problem } from '../schema/problems.js';
import { scenarioFile, readSource, type KnownScenario, type ScenarioLibrary } from './library.js';
import { nearestWord } from '../../domain/text.js';

/** The scenario given at start is invalid: the process does not start (exit code 2). */
export class ScenarioStartError extends Error {
  override readonly name = 'ScenarioStartError';
  constructor(
    message: string,
    readonly problems: readonly Problem[] = [],
  ) {
    super(message);
  }
}

export class InitialScenario {
  readonly #library: ScenarioLibrary;
  readonly #known: KnownScenario | null;
  #born: StartingScenario | null = null;
  readonly #watchers: FSWatcher[] = [];

  /**
   * @param wanted names and paths; all must load, and the first is the starting scenario
   * @throws ScenarioStartError
   */
  constructor(library: ScenarioLibrary, wanted: readonly string[]) {
    this.#library = library;
    const known = wanted.map((name) => find(library, name));
    this.#known = known[0] ?? null;
    this.#born = known.map((entry) => this.#load(entry))[0] ?? null;
  }

  starting(): StartingScenario | null {
    return this.#born;
  }

  /** Reloads the scenario when its file or one that it extends changes. An invalid file is logged and not used. */
  watch(log: Log, replaced: (scenario: LoadedScenario, text: string) => void): void {
    const known = this.#known;
    if (!known) return;
    const folders = new Set<string>();
    const reload = () => {
      try {
        const born = this.#load(known);
        watchFolders(born);
        if (!born.scenario || born.text === null || isDeepStrictEqual(born, this.#born)) return;
        this.#born = born;
        log.info(`scenario ${born.scenario.name} was reloaded`);
        replaced(born.scenario, born.text);
      } catch (error) {
        log.warn(
          `scenario reload failed; keeping the previous version: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    };
    const watchFolders = ({ scenario }: StartingScenario): void => {
      for (const folder of new Set(scenario?.files.map((file) => dirname(file)))) {
        if (folders.has(folder)) continue;
        folders.add(folder);
        // The folder is watched, not the file: editors replace a file by renaming another one over it, and any scenario in
        // it may be extended later.
        const seen = (name: string | null) => name === null || scenarioFile.test(name);
        const watcher = watch(folder, { persistent: false }, (_event, name) => seen(name) && reload());
        // On some systems, a folder that is removed causes an error event, which would end the process.
        watcher.on('error', (error) => log.warn(`${folder} is no longer watched: ${error.message}`));
        this.#watchers.push(watcher);
      }
    };
    if (this.#born) watchFolders(this.#born);
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  #load(known: KnownScenario): StartingScenario {
    const { result, text } = this.#library.load(known);
    if ('scenario' in result) return { scenario: result.scenario, text };
    throw new ScenarioStartError(formatFaulty(result, readSource), result.problems);
  }
}

/** Finds a known name, or the path of a file, which becomes known. */
function find(library: ScenarioLibrary, wanted: string): KnownScenario {
  const known = library.get(wanted);
  if (known && !/[\\/.]/.test(wanted)) return known;
  const added = library.addFile(wanted);
  if (added) return added;
  if (known) return known;
  const nearest = nearestWord(wanted, library.names());
  throw new ScenarioStartError(
    `There is no scenario "${wanted}"${nearest === undefined ? '.' : `; did you mean "${nearest}"?`} Give the path of a file, or one of: ${library.names().join(', ')}.`,
  );
}

export interface StartingScenario {
  readonly scenario: LoadedScenario | null;
  readonly text: string | null;
  /** Rules that take precedence, as if they were added at run time. */
  readonly rules?: readonly LoadedRule[];
  /** The reason why there is none although the key names one; shown in the journal of every call. */
  readonly notice?: string;
}

export function withRules(
  born: (key: string) => StartingScenario | null,
  rulesFor: ((key: string) => readonly LoadedRule[]) | undefined,
): (key: string) => StartingScenario | null {
  if (!rulesFor) return born;
  return (key) => ({ ...(born(key) ?? { scenario: null, text: null }), rules: rulesFor(key) });
}

/** Returns the part of a key after its last tilde; null without a tilde. */
export function scenarioOfKey(key: string): string | null {
  const at = key.lastIndexOf('~');
  return at > 0 && at < key.length - 1 ? key.slice(at + 1) : null;
}

/** @param initial the scenario of accounts whose key does not name one */
export function startingScenarios(
  library: ScenarioLibrary,
  initial: () => StartingScenario | null,
): (key: string) => StartingScenario | null {
  return (key) => {
    const name = scenarioOfKey(key);
    if (name === null) return initial();
    const known = library.get(name);
    const without = (notice: string) => ({ scenario: null, text: null, notice });
    if (!known) {
      return without(
        `The key names an unknown scenario "${name}"; no scenario is active. Known: ${library.names().join(', ')}.`,
      );
    }
    const { result, text } = library.load(known);
    if ('scenario' in result) return { scenario: result.scenario, text };
    const [first] = result.problems;
    const where = first ? `${first.file}:${first.line}:${first.column} ${first.message}` : '';
    return without(`The key names the scenario "${name}", which cannot be loaded; no scenario is active. ${where}`);
  };
}
