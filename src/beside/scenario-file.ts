import { isAbsolute, normalize, relative } from 'node:path';
import { failWith } from '../failure.js';
import { ScenarioFileError } from '../language/problems.js';
import { isPath, loadReader, ScenarioLibrary } from '../reader/library.js';
import type { LoadResult } from '../reader/load.js';

export interface NamedScenario {
  /** The path as problems show it: as given, or relative to the current folder. */
  readonly file: string;
  /** Absolute path. */
  readonly path: string;
  readonly text: string;
  readonly result: LoadResult;
}

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

/** Relative to the current folder if that is shorter. */
export function shownPath(path: string): string {
  const short = relative('', path);
  return short.startsWith('..') || isAbsolute(short) ? path : short;
}
