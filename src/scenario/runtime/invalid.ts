/** Converts the problems of a scenario to an HTTP 400 error. */
import type { Account } from '../../account/account.js';
import { ServiceError, type ErrorDetail } from '../../domain/errors.js';
import { stepsFault } from '../language/regex.js';
import { expressionSteps } from '../language/matchers.js';
import type { LoadedRule } from '../language/rules.js';
import type { Problem } from '../language/problems.js';

/** @param warnings of the same scenario */
export function scenarioInvalid(problems: readonly Problem[], warnings: readonly Problem[] = []): ServiceError {
  const [first] = problems;
  const where = first ? ` The first: ${first.file}:${first.line}:${first.column} ${first.message}` : '';
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return new ServiceError('scenario_invalid', `The scenario has ${count}; nothing was changed.${where}`, {
    details: problems.map(problemDetail),
    ...(warnings.length > 0 && { extra: { warnings: warnings.map(problemDetail) } }),
  });
}

export function problemDetail(problem: Problem): ErrorDetail {
  return { field: problem.path, ...problem };
}

/**
 * Rejects rules whose expressions, together with those of the other rules of the account, take too long for one call.
 * @param scenario the rules of the scenario; default: those of the active one
 * @throws ServiceError scenario_invalid
 */
export function requireFewSteps(
  { store, script }: Pick<Account, 'store' | 'script'>,
  added: readonly LoadedRule[],
  scenario: readonly LoadedRule[] = script.scenario?.rules ?? [],
): void {
  const earlier = [...store.tables.rules.all()].map(({ rule }) => rule as LoadedRule);
  const steps = expressionSteps([...earlier, ...scenario, ...added].map(({ match }) => match));
  const fault = stepsFault(steps, 'the scenario and of the rules added at run time');
  if (!fault) return;
  const [{ id, source } = { id: '', source: { file: '', line: 0 } }] = [...added, ...scenario];
  throw scenarioInvalid([
    { file: source.file || 'request body', line: Math.max(1, source.line), column: 1, path: id, ...fault },
  ]);
}
