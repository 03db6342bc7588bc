import type { Command } from 'commander';
import type { components } from '../../generated/control.js';
import { type Problem, formatFaulty, formatProblems } from '../../scenario/language/problems.js';
import { SandboxError } from '../../client/sandbox-error.js';
import type { Connection } from '../../client/connection.js';
import { connect, withClientFlags } from '../client.js';
import type { ClientFlags } from '../client.js';
import { CliFailure } from '../failure.js';
import { counted } from '../../domain/in-words.js';
import { print } from '../print.js';
import { isPath, knownScenarios } from './named.js';

type ActiveScenario = components['schemas']['ActiveScenario'];

/** The server's file name for a scenario that was sent as a body. */
const BODY = 'request body';

/** `scenario use`: activates a scenario in the account. */
export function addUse(scenario: Command): void {
  withClientFlags(
    scenario
      .command('use')
      .description('activate a scenario in a running sandbox, instead of the active one')
      .argument('<scenario>', 'a name that the sandbox knows, or the path of a file'),
  ).action(async (wanted: string, flags: ClientFlags) => {
    show(flags, await activate(connect(flags), wanted), wanted);
  });
}

/**
 * Activates a scenario by its name, or by the path of its file.
 * @throws CliFailure (2) with the errors of a file and their positions
 */
export async function activate(client: Connection, wanted: string): Promise<ActiveScenario> {
  const file = isPath(wanted) ? fileAt(wanted) : null;
  const path = '/_sandbox/scenario';
  const activated =
    file === null
      ? client.call<ActiveScenario>('PUT', path, { name: wanted })
      : client.send<ActiveScenario>('PUT', path, { text: file.text, contentType: 'application/yaml' });
  return activated.catch((error: unknown) => {
    throw withPlaces(error, wanted, file?.text);
  });
}

function fileAt(wanted: string): { readonly text: string } {
  const library = knownScenarios();
  const found = library.addFile(wanted);
  const text = found === null ? undefined : library.read(found);
  if (text !== undefined) return { text };
  throw new CliFailure(
    2,
    `There is no file "${wanted}". Give the path of a scenario file, or a name without "/" and ".".`,
  );
}

function show(flags: ClientFlags, active: ActiveScenario, wanted: string): void {
  const expected = active.scenario?.['expect'];
  const expectations = Array.isArray(expected) ? expected.length : 0;
  const head = `${active.name ?? wanted} is active: ${counted(active.rules.length, 'rule')}, ${counted(expectations, 'expectation')}`;
  const warnings = problemsIn(active.warnings, wanted);
  print(flags.json, active, [
    head,
    ...(warnings.length === 0 ? [] : ['', formatProblems(warnings, sourceOf(wanted, active.source ?? undefined))]),
  ]);
}

/** Turns the errors of a scenario into a usage error that names the file that was sent. */
function withPlaces(error: unknown, wanted: string, text: string | undefined): unknown {
  if (!(error instanceof SandboxError) || error.code !== 'scenario_invalid') return error;
  const found = { problems: problemsIn(error.details, wanted), warnings: problemsIn(error.warnings, wanted) };
  return new CliFailure(
    2,
    `the scenario was not activated; the active one stays.\n\n${formatFaulty(found, sourceOf(wanted, text))}`,
    { cause: error },
  );
}

function problemsIn(details: readonly unknown[], wanted: string): Problem[] {
  return (details as unknown as readonly Problem[]).map((problem) => ({
    ...problem,
    file: problem.file === BODY ? wanted : problem.file,
    // Messages may name other positions in the file, as in "comes first (request body:4)".
    message: problem.message.replaceAll(`${BODY}:`, `${wanted}:`),
  }));
}

function sourceOf(wanted: string, text: string | undefined): (file: string) => string | undefined {
  return (file) => (file === wanted ? text : undefined);
}
