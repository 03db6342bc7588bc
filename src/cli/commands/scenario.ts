import type { Command } from 'commander';
import type { KnownScenario } from '../../client/types.js';
import { counted, printableLine } from '../../domain/text.js';
import { formatFaulty, formatProblems } from '../../language/problems.js';
import { readSource, type ScenarioLibrary } from '../../reader/library.js';
import { clientCommand, type ClientFlags } from '../client.js';
import { print } from '../command.js';
import { CliFailure, QuietExit, UsageError } from '../../failure.js';
import { activate, problemsIn } from '../named.js';
import { knownScenarios, loadNamed, type NamedScenario } from '../../beside/scenario-file.js';
import { addRun } from '../scenario-run.js';

export function scenario(scenario: Command, command: readonly string[]): void {
  for (const add of [addCheck, addList, addUse]) add(scenario);
  addRun(scenario, command);
  scenario.hook('preAction', (_scenario, called) => {
    if (called.name() === 'run' || command.length === 0) return;
    const found = `"-- ${command.join(' ')}"`;
    throw new UsageError(`scenario ${called.name()}: ${found} is not run here. Only "scenario run" takes a command.`);
  });
}

function addCheck(scenario: Command): void {
  scenario
    .command('check')
    .description('report all errors of scenario files; needs no running sandbox')
    .argument('<files...>', 'paths, or names of shipped scenarios')
    .option('--json', 'print the result as JSON')
    .action(async (files: readonly string[], flags: { readonly json?: boolean }) => {
      const library = await knownScenarios();
      const loaded = files.map((file) => loadOrReport(library, file));
      const valid = loaded.every(({ result }) => 'scenario' in result);
      const lines = loaded.flatMap(({ file, result }) => {
        if ('problems' in result) {
          return [`${file}: ${counted(result.problems.length, 'problem')}`, '', formatFaulty(result, readSource), ''];
        }
        if (result.warnings.length === 0) return [`${file}: fine`];
        const head = `${file}: fine, with ${counted(result.warnings.length, 'warning')}`;
        return [head, '', formatProblems(result.warnings, readSource), ''];
      });
      print(flags.json, { valid, files: loaded.map(asJson) }, lines);
      if (!valid) throw new QuietExit(2);
    });
}

/** A file that does not exist is reported like an invalid one, so that the others are checked as well. */
function loadOrReport(library: ScenarioLibrary, file: string): NamedScenario {
  try {
    return loadNamed(library, file);
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    const place = { file, line: 1, column: 1, path: '' };
    const problem = { ...place, code: 'no_such_file', message: error.message, found: 'no file' };
    return { file, path: file, text: '', result: { problems: [problem], warnings: [] } };
  }
}

function asJson({ file, result }: NamedScenario): object {
  if ('problems' in result) return { file, valid: false, problems: result.problems, warnings: result.warnings };
  return { file, name: result.scenario.name, valid: true, problems: [], warnings: result.warnings };
}

function addList(scenario: Command): void {
  const description = 'list the scenarios of a running sandbox; * marks the active one';
  clientCommand(scenario.command('list').description(description), async (client) => {
    const known = await client.list<KnownScenario>('/_sandbox/scenarios');
    const width = Math.max(0, ...known.map(({ name }) => name.length));
    const titles = { conditions: 'Conditions, for any suite:', story: 'Stories, to be played:', none: 'Do not load:' };
    const line = ({ name, active, valid, description, problems }: KnownScenario) => {
      const [first] = problems ?? [];
      const trouble = first === undefined ? 'does not load' : `does not load, line ${first.line}: ${first.message}`;
      const about = (valid ? (description ?? '') : trouble).replace(/\s+/g, ' ');
      return printableLine(`${active ? '*' : ' '} ${name.padEnd(width)}  ${about}`.trimEnd());
    };
    const lines = (['conditions', 'story', 'none'] as const).flatMap((kind) => {
      const some = known.filter((one) => (one.kind ?? 'none') === kind);
      return some.length === 0 ? [] : [titles[kind], ...some.map(line)];
    });
    return [{ items: known }, lines.length === 0 ? ['No scenario is known.'] : lines];
  });
}

function addUse(scenario: Command): void {
  const command = scenario
    .command('use')
    .description('activate a scenario in a running sandbox, instead of the active one')
    .argument('<scenario>', 'name of a shipped scenario, or path of a file');
  clientCommand(command, async (client, _flags: ClientFlags, wanted: string) => {
    const active = await activate(client, wanted);
    const expected = active.scenario?.['expect'];
    const expectations = Array.isArray(expected) ? expected.length : 0;
    const rules = counted(active.rules.length, 'rule');
    const head = `${active.name ?? wanted} is active: ${rules}, ${counted(expectations, 'expectation')}`;
    const sourceOf = (file: string) => readSource(file) ?? active.source ?? undefined;
    const told = formatProblems(problemsIn(active.warnings), sourceOf);
    return [active, active.warnings.length === 0 ? [head] : [head, '', told]];
  });
}
