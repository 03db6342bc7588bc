import type { Command } from 'commander';
import { formatFaulty, formatProblems } from '../../scenario/language/problems.js';
import { CliFailure, QuietExit } from '../failure.js';
import { counted } from '../../domain/in-words.js';
import { print } from '../print.js';
import type { NamedScenario } from './named.js';
import { knownScenarios, loadNamed } from './named.js';
import type { ScenarioLibrary } from '../../scenario/runtime/library.js';

/** `scenario check`: reports all errors of scenario files, without a server (exit code 2). */
export function addCheck(scenario: Command): void {
  scenario
    .command('check')
    .description('report all errors of scenario files; needs no running sandbox')
    .argument('<files...>', 'paths, or names of shipped scenarios')
    .option('--json', 'print the result as JSON')
    .action((files: readonly string[], flags: { readonly json?: boolean }) => {
      const library = knownScenarios();
      const loaded = files.map((file) => loadOrReport(library, file));
      const valid = loaded.every(({ result }) => 'scenario' in result);
      const lines = loaded.flatMap(({ file, result }) => {
        if ('problems' in result) {
          return [
            `${file}: ${counted(result.problems.length, 'problem')}`,
            '',
            formatFaulty(result, (name) => library.sourceOf(name)),
            '',
          ];
        }
        if (result.warnings.length === 0) return [`${file}: fine`];
        const head = `${file}: fine, with ${counted(result.warnings.length, 'warning')}`;
        return [head, '', formatProblems(result.warnings, (name) => library.sourceOf(name)), ''];
      });
      print(flags.json, { valid, files: loaded.map(asJson) }, lines);
      if (!valid) throw new QuietExit(2);
    });
}

/** A file that does not exist is reported like an invalid one, so that the others are checked too. */
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
