/**
 * The scenario an account starts with: the one its key carries (`worker3~flaky-api`), or the one named at start
 * (contract §5, §8).
 */
import type { LoadedScenario } from '../language/scenario-schema.js';
import type { ScenarioLibrary } from './library.js';

export interface BornScenario {
  readonly scenario: LoadedScenario | null;
  readonly text: string | null;
  /** Why there is none although the key names one; stands in the journal of every call. */
  readonly notice?: string;
}

/** The part of a key behind its last tilde; null when it has none. */
export function scenarioOfKey(key: string): string | null {
  const at = key.lastIndexOf('~');
  return at > 0 && at < key.length - 1 ? key.slice(at + 1) : null;
}

/** @param initial the scenario of accounts whose key carries none */
export function bornWith(
  library: ScenarioLibrary,
  initial: () => BornScenario | null,
): (key: string) => BornScenario | null {
  return (key) => {
    const name = scenarioOfKey(key);
    if (name === null) return initial();
    const known = library.get(name);
    if (!known) {
      const notice = `The key names the scenario "${name}", which is not known here; no scenario is active. Known: ${library.names().join(', ')}.`;
      return { ...nothing, notice };
    }
    const { result, text } = library.load(known);
    if ('scenario' in result) return { scenario: result.scenario, text };
    const [first] = result.problems;
    const where = first ? `${first.file}:${first.line}:${first.column} ${first.message}` : '';
    return {
      ...nothing,
      notice: `The key names the scenario "${name}", which cannot be loaded; no scenario is active. ${where}`,
    };
  };
}

const nothing = { scenario: null, text: null } as const;
