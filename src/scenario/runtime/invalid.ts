/** A scenario's problems as the error of the call that brought it (contract §5: HTTP 400 with all of them). */
import { ServiceError, type ErrorDetail } from '../../domain/errors.js';
import type { Problem } from '../language/problems.js';

/** @param warnings what else is unusual about it */
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
