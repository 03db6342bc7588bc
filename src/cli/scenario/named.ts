/** Scenarios named on a command line, by the path of a file or by a known name: finds, loads and activates them. */
import { isAbsolute, normalize, relative } from 'node:path';
import { withQuery, type Connection } from '../../client/connection.js';
import { SandboxError } from '../../client/sandbox-error.js';
import type { ActiveScenario } from '../../client/types.js';
import type { LoadResult } from '../../reader/load.js';
import { isPath, loadReader, readSource, ScenarioLibrary } from '../../reader/library.js';
import { counted } from '../../domain/text.js';
import { formatFaulty, formatProblems, ScenarioFileError, type Problem } from '../../language/problems.js';
import { failWith, UsageError } from '../failure.js';

export interface NamedScenario {
  /** The path as problems show it: as given, or relative to the current folder. */
  readonly file: string;
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
  readonly result: LoadResult;
}

/** Returns the scenarios that a sandbox started here would find. */
export async function knownScenarios(): Promise<ScenarioLibrary> {
  await loadReader();
  return new ScenarioLibrary();
}

/** @throws CliFailure (2) if neither a file nor a known scenario of this name exists */
export function loadNamed(library: ScenarioLibrary, wanted: string): NamedScenario {
  try {
    const known = library.find(wanted);
    // One spelling per file: otherwise, a circle of "extends" through ./a.yaml and a.yaml would be followed twice.
    const file = isPath(wanted) ? normalize(wanted) : shownPath(known.path);
    return { file, path: known.path, ...library.load(known, file) };
  } catch (error) {
    return failWith(2, ScenarioFileError)(error);
  }
}

/** Returns what `scenario check` warns of in these scenarios, for a command that goes on with them. */
export function warningLines(library: ScenarioLibrary, wanted: readonly string[]): string[] {
  return wanted.flatMap((name) => {
    const { file, result } = loadNamed(library, name);
    const { warnings } = result;
    if (warnings.length === 0) return [];
    return [`${file} has ${counted(warnings.length, 'warning')}:`, '', formatProblems(warnings, readSource), ''];
  });
}

/** Relative to the current folder if that is shorter. */
export function shownPath(path: string): string {
  const short = relative('', path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}

/**
 * Activates a scenario by its name, or by the path of its file.
 * @throws CliFailure (2) with the errors of a file and their positions
 */
export async function activate(client: Connection, wanted: string): Promise<ActiveScenario> {
  if (!isPath(wanted)) return client.call('PUT', '/_sandbox/scenario', { name: wanted });
  const text = readSource(wanted);
  if (text === undefined) {
    throw new UsageError(
      `There is no file "${wanted}". Give the path of a scenario file, or a name without "/" and ".".`,
    );
  }
  try {
    const path = withQuery('/_sandbox/scenario', { file: wanted });
    return await client.call('PUT', path, text);
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== 'scenario_invalid') throw error;
    const found = { problems: problemsIn(error.details), warnings: problemsIn(error.warnings) };
    const told = formatFaulty(found, readSource);
    throw new UsageError(`the scenario was not activated; the active one stays.\n\n${told}`, { cause: error });
  }
}

export const problemsIn = (details: readonly unknown[]) => details as readonly Problem[];
