import { withQuery, type Connection } from '../client/connection.js';
import { SandboxError } from '../client/sandbox-error.js';
import type { ActiveScenario } from '../client/types.js';
import { isPath, readSource, type ScenarioLibrary } from '../reader/library.js';
import { counted } from '../domain/text.js';
import { formatFaulty, formatProblems, type Problem } from '../language/problems.js';
import { loadNamed } from '../beside/scenario-file.js';
import { UsageError } from '../failure.js';

export function warningLines(library: ScenarioLibrary, wanted: readonly string[]): string[] {
  return wanted.flatMap((name) => {
    const { file, result } = loadNamed(library, name);
    const { warnings } = result;
    if (warnings.length === 0) return [];
    return [`${file} has ${counted(warnings.length, 'warning')}:`, '', formatProblems(warnings, readSource), ''];
  });
}

/** The scenario is named by its name, or by the path of its file. @throws CliFailure (2) */
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
