import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../log.js';
import { formatFaulty, formatProblems, ScenarioFileError } from '../language/problems.js';
import type { LoadedRule } from '../language/rule.js';
import type { LoadedScenario } from '../language/scenario.js';
import type { SystemClock } from '../time/system-clock.js';
import { readSource, type KnownScenario, type ScenarioLibrary } from '../reader/library.js';

export interface StartingScenario {
  readonly scenario: LoadedScenario | null;
  readonly text: string | null;
  /** These rules take precedence, as if they were added at run time. */
  readonly rules?: readonly LoadedRule[];
  /** The reason for a missing scenario; shown in the journal of every call. */
  readonly notice?: string;
}

/** Machine milliseconds. */
const WATCH_MS = 200;

export class StartingScenarios {
  readonly #known: KnownScenario | null;
  #given: { readonly scenario: LoadedScenario; readonly text: string } | null = null;
  /** The files of the last attempt to load it, as they were just after it. */
  #seen: ReadonlyMap<string, string> = new Map();
  close = (): void => undefined;

  /**
   * All names and paths in `wanted` must load; the first is for accounts whose key does not name a scenario.
   * @throws ScenarioFileError
   */
  constructor(
    private readonly library: ScenarioLibrary,
    wanted: readonly string[],
    private readonly rulesFor?: (key: string) => readonly LoadedRule[],
  ) {
    const known = wanted.map((name) => library.find(name));
    this.#known = known[0] ?? null;
    this.#given = known.map((entry) => this.#load(entry))[0] ?? null;
    this.#seen = stamps(this.#given?.scenario.files ?? []);
  }

  of(key: string): StartingScenario | null {
    const name = scenarioOfKey(key);
    const starting = name === null ? this.#given : this.#named(name);
    return this.rulesFor ? { scenario: null, text: null, ...starting, rules: this.rulesFor(key) } : starting;
  }

  #named(name: string): StartingScenario {
    const without = (notice: string) => ({ scenario: null, text: null, notice });
    const known = this.library.get(name);
    if (!known) {
      const names = this.library.names().join(', ');
      return without(`The key names an unknown scenario "${name}"; no scenario is active. Known: ${names}.`);
    }
    const { result, text } = this.library.load(known);
    if ('scenario' in result) return { scenario: result.scenario, text };
    const [first] = result.problems;
    const where = first ? `${first.file}:${first.line}:${first.column} ${first.message}` : '';
    return without(`The key names the scenario "${name}", which cannot be loaded; no scenario is active. ${where}`);
  }

  #load(known: KnownScenario) {
    const { result, text } = this.library.load(known);
    if ('scenario' in result) return { scenario: result.scenario, text, warnings: result.warnings };
    throw new ScenarioFileError(formatFaulty(result, readSource), result.problems);
  }

  /** Also watches the files that the scenario extends. An invalid file is logged and not used. */
  watch(host: SystemClock, log: Log, replaced: (scenario: LoadedScenario, text: string) => void): void {
    const known = this.#known;
    if (!known) return;
    const reload = (): void => {
      try {
        const { warnings, ...given } = this.#load(known);
        const before = this.#given?.scenario;
        this.#given = given;
        this.#seen = stamps(given.scenario.files);
        log.info(`scenario ${given.scenario.name} was reloaded`);
        if (warnings.length > 0) log.warn(`the scenario has warnings:\n\n${formatProblems(warnings, readSource)}`);
        const isOther = (['timeline', 'given'] as const).some(
          (key) => !isDeepStrictEqual(before?.[key], given.scenario[key]),
        );
        if (isOther)
          log.warn('scenario reloaded; its new "given" and "timeline" begin with the next reset or activation');
        replaced(given.scenario, given.text);
      } catch (error) {
        if (!(error instanceof ScenarioFileError)) throw error;
        this.#seen = stamps([...this.#seen.keys(), ...error.problems.map(({ file }) => file)]);
        log.warn(`scenario reload failed; keeping the previous version: ${error.message}`);
      }
    };
    // The file watchers of Node compare with a state that they read some time after their start: a save before is lost.
    const look = (): void => {
      this.close = host.setTimer(WATCH_MS, look, { unref: true });
      if ([...this.#seen].some(([file, stamp]) => stampOf(file) !== stamp)) reload();
    };
    look();
  }
}

function stamps(files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(files.map((file) => [file, stampOf(file)]));
}

/** Changes with every save, and when the file is deleted or created. */
function stampOf(file: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return 'unreadable';
  }
}

export function scenarioOfKey(key: string): string | null {
  return /^.+~([^~]+)$/s.exec(key)?.[1] ?? null;
}
