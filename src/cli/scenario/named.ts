/** Scenarios named on a command line, by the path of a file or by a known name: finds and activates them. */
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import type { Connection } from '../../client/connection.js';
import { SandboxError } from '../../client/sandbox-error.js';
import type { ActiveScenario } from '../../client/types.js';
import { type Problem, formatFaulty } from '../../scenario/schema/problems.js';
import { type LoadResult, loadScenario } from '../../scenario/reader/load.js';
import { ScenarioLibrary, readSource, mountedScenarios, shippedScenarios } from '../../scenario/run/library.js';
import { nearestWord } from '../../domain/text.js';
import { UsageError } from '../failure.js';

export interface NamedScenario {
  /** The path as problems show it: as given, or relative to the current folder. */
  readonly file: string;
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
  readonly result: LoadResult;
}

/** Returns the names of the scenarios that a sandbox started here would find. */
export function knownScenarios(): ScenarioLibrary {
  return new ScenarioLibrary([mountedScenarios, ...[shippedScenarios() ?? []].flat()]);
}

/** Whether a word can only be a path: names of scenarios have neither separators nor an extension. */
export function isPath(wanted: string): boolean {
  return /[\\/.]/.test(wanted);
}

/**
 * Loads a file, or a known scenario by its name; files that it extends are searched for in the same folder, then by
 * name.
 * @throws CliFailure (2) if neither exists
 */
export function loadNamed(library: ScenarioLibrary, wanted: string): NamedScenario {
  const known = isPath(wanted) ? undefined : library.get(wanted);
  const found = known ?? library.addFile(wanted);
  if (found === null) throw new UsageError(unknown(library, wanted));
  // One spelling per file: otherwise, a circle of "extends" through ./a.yaml and a.yaml would be followed twice.
  const file = known === undefined ? normalize(wanted) : shownPath(found.path);
  const text = readSource(found.path);
  const { path } = found;
  if (text === undefined) return { file, path, text: '', result: library.load(found).result };
  return {
    file,
    path,
    text,
    result: loadScenario(text, { file, resolve: library.resolver(dirname(file)) }),
  };
}

/** Relative to the current folder if that is shorter. */
export function shownPath(path: string): string {
  const short = relative('', path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}

function unknown(library: ScenarioLibrary, wanted: string): string {
  if (statSync(wanted, { throwIfNoEntry: false })?.isDirectory() === true) {
    return `"${wanted}" is a folder. Give the paths of the files in it: ${join(wanted, '*.yaml')}.`;
  }
  const nearest = nearestWord(wanted, library.names());
  const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `There is no scenario file "${wanted}".${meant} Give the path of a file, or one of: ${library.names().join(', ')}.`;
}

/** The server's file name for a scenario that was sent as a body. */
const BODY = 'request body';

/**
 * Activates a scenario by its name, or by the path of its file.
 * @throws CliFailure (2) with the errors of a file and their positions
 */
export async function activate(client: Connection, wanted: string): Promise<ActiveScenario> {
  const file = isPath(wanted) ? fileAt(wanted) : null;
  const body = file === null ? { name: wanted } : file.text;
  return client.call<ActiveScenario>('PUT', '/_sandbox/scenario', body).catch((error: unknown) => {
    throw withPlaces(error, wanted, file?.text);
  });
}

function fileAt(wanted: string): { readonly text: string } {
  const library = knownScenarios();
  const found = library.addFile(wanted);
  const text = found === null ? undefined : readSource(found.path);
  if (text !== undefined) return { text };
  throw new UsageError(
    `There is no file "${wanted}". Give the path of a scenario file, or a name without "/" and ".".`,
  );
}

/** Turns the errors of a scenario into a usage error that names the file that was sent. */
function withPlaces(error: unknown, wanted: string, text: string | undefined): unknown {
  if (!(error instanceof SandboxError) || error.code !== 'scenario_invalid') return error;
  const found = { problems: problemsIn(error.details, wanted), warnings: problemsIn(error.warnings, wanted) };
  return new UsageError(
    `the scenario was not activated; the active one stays.\n\n${formatFaulty(found, sourceOf(wanted, text))}`,
    { cause: error },
  );
}

export function problemsIn(details: readonly unknown[], wanted: string): Problem[] {
  return (details as unknown as readonly Problem[]).map((problem) => ({
    ...problem,
    file: problem.file === BODY ? wanted : problem.file,
    // Messages may name other positions in the file, as in "comes first (request body:4)".
    message: problem.message.replaceAll(`${BODY}:`, `${wanted}:`),
  }));
}

export function sourceOf(wanted: string, text: string | undefined): (file: string) => string | undefined {
  return (file) => (file === wanted ? text : undefined);
}
